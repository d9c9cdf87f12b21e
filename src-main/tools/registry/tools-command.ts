import { errorMessage } from '../../base/errors.ts';
import { shortened, visible } from '../../base/text.ts';
import type { Tool } from '../contract.ts';
import type { ToolRegistry } from './registry.ts';
import type { BroughtTool } from './toolset.ts';
import { wireNameOf } from './wire-names.ts';

/** The limit in columns and characters. A client gives whatever names it likes. */
const MAX_NAME_LENGTH = 64;
const MAX_SENTENCE_LENGTH = 300;

/** What `/tools …` requests. `names` are names and globs; `list` has none. */
export interface ToolsCommand {
  readonly verb: 'list' | 'enable' | 'disable';
  readonly names: readonly string[];
}

/** Whether the user allows these tools to be switched on. Some names may not be registered at the moment. */
export type MayEnable = (names: readonly string[]) => Promise<boolean>;

/** The tools that `/tools …` is about. */
export interface ListedTools {
  readonly registry: ToolRegistry;
  /** What clients brought into the conversation. */
  readonly brought: readonly BroughtTool[];
  /** Tools that the current model is not offered. */
  readonly isHidden: (tool: Tool) => boolean;
}

/** Answers `/tools …`. Source: tool catalogue A.5. */
export async function answerToolsCommand(
  listed: ListedTools,
  { verb, names }: ToolsCommand,
  mayEnable: MayEnable,
): Promise<string> {
  const { registry } = listed;
  if (verb === 'list') return listText(listed);
  const others = listed.brought.map(({ name }) => name);
  if (verb === 'disable') return switched('Disabled', () => registry.disable(names, others));
  const switchedOff = registry.switchedOff(names, others);
  if (switchedOff.length > 0 && !(await mayEnable(switchedOff)))
    return switchedOff.map((name) => `Not enabled: ${visible(name)}`).join('\n');
  // Exactly the confirmed names: by now a glob may match more.
  const unchanged = names.filter((name) => registry.switchedOff([name], others).length === 0);
  const answer = await switched('Enabled', () => registry.enable([...switchedOff, ...unchanged], others));
  return [answer, ...leftOutByProfile(registry, names)].join('\n');
}

async function switched(done: string, change: () => ReturnType<ToolRegistry['enable']>): Promise<string> {
  try {
    const { changed, notFound } = await change();
    return [
      ...changed.map((name) => `${done}: ${visible(name)}`),
      ...notFound.map((name) => `Not found: ${visible(name)}`),
    ].join('\n');
  } catch (error) {
    return `Error: The setting could not be saved and applies only until the program ends: ${errorMessage(error)}`;
  }
}

/** Switching such a tool on is stored for later; nothing changes now. */
function leftOutByProfile(registry: ToolRegistry, names: readonly string[]): string[] {
  const leftOut = registry.list().filter((tool) => registry.isLeftOutByProfile(tool));
  return leftOut
    .filter((tool) => names.some((name) => registry.get(name) === tool))
    .map(({ name }) => `Still off: ${name}, because tools.profile in config.json is "lean"`);
}

interface Row {
  readonly tool: Pick<Tool, 'name' | 'access' | 'description'>;
  readonly isEnabled: boolean;
}

function listText({ registry, brought, isHidden }: ListedTools): string {
  const tools = registry.list().filter((tool) => !isHidden(tool));
  const registered = tools.map((tool): Row => ({ tool, isEnabled: registry.isEnabled(tool) }));
  const groups = new Map<string, Row[]>();
  for (const tool of brought) {
    const title = `${visible(tool.group)}, from ${visible(tool.client)}:`;
    const isEnabled = !registry.isSwitchedOff([tool.name, wireNameOf(tool.name)]);
    groups.set(title, [...(groups.get(title) ?? []), { tool, isEnabled }]);
  }
  const all = [...registered, ...[...groups.values()].flat()];
  const nameWidth = Math.min(MAX_NAME_LENGTH, Math.max(0, ...all.map(({ tool }) => visible(tool.name).length)));
  const classWidth = Math.max(0, ...all.map(({ tool }) => tool.access.length));
  const line = ({ tool, isEnabled }: Row) =>
    [
      visible(tool.name).padEnd(nameWidth),
      isEnabled ? 'enabled ' : 'disabled',
      tool.access.padEnd(classWidth),
      visible(firstSentence(tool.description)),
    ].join('  ');
  return [
    `${all.length} tools, ${all.filter(({ isEnabled }) => isEnabled).length} enabled`,
    ...registered.map(line),
    ...registry.unavailable().map(({ tool, needs }) => `not available: ${tool.name} – needs ${needs}`),
    ...[...groups].flatMap(([title, rows]) => [title, ...rows.map(line)]),
  ].join('\n');
}

function firstSentence(description: string): string {
  const [sentence = ''] = description.split(/(?<=\.)\s|\n/, 1);
  return shortened(sentence, MAX_SENTENCE_LENGTH);
}
