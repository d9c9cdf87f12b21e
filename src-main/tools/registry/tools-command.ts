import { errorMessage } from '../../base/errors.ts';
import type { ToolRegistry } from './registry.ts';

/** What `/tools …` requests. `names`: names and globs; none for `list`. */
export interface ToolsCommand {
  readonly verb: 'list' | 'enable' | 'disable';
  readonly names: readonly string[];
}

/** Whether the person allows these tools to be switched on. Some names may not be registered at the moment. */
export type MayEnable = (names: readonly string[]) => Promise<boolean>;

/** Answers `/tools …`. Source: tool catalogue A.5. */
export async function answerToolsCommand(
  registry: ToolRegistry,
  { verb, names }: ToolsCommand,
  mayEnable: MayEnable,
): Promise<string> {
  if (verb === 'list') return listText(registry);
  if (verb === 'disable') return switched('Disabled', () => registry.disable(names));
  const switchedOff = registry.switchedOff(names);
  if (switchedOff.length > 0 && !(await mayEnable(switchedOff)))
    return switchedOff.map((name) => `Not enabled: ${name}`).join('\n');
  // Exactly the confirmed names: by now a glob may match more.
  const others = names.filter((name) => registry.switchedOff([name]).length === 0);
  const answer = await switched('Enabled', () => registry.enable([...switchedOff, ...others]));
  return [answer, ...leftOutByProfile(registry, names)].join('\n');
}

async function switched(done: string, change: () => ReturnType<ToolRegistry['enable']>): Promise<string> {
  try {
    const { changed, notFound } = await change();
    return [...changed.map((name) => `${done}: ${name}`), ...notFound.map((name) => `Not found: ${name}`)].join('\n');
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

function listText(registry: ToolRegistry): string {
  const tools = registry.list();
  const rows = tools.map((tool) => ({ tool, state: registry.isEnabled(tool) ? 'enabled' : 'disabled' }));
  const nameWidth = Math.max(0, ...tools.map(({ name }) => name.length));
  const classWidth = Math.max(0, ...tools.map(({ access }) => access.length));
  const enabled = rows.filter(({ state }) => state === 'enabled').length;
  return [
    `${tools.length} tools, ${enabled} enabled`,
    ...rows.map(({ tool, state }) =>
      [
        tool.name.padEnd(nameWidth),
        state.padEnd('disabled'.length),
        tool.access.padEnd(classWidth),
        firstSentence(tool.description),
      ].join('  '),
    ),
    ...registry.unavailable().map(({ tool, needs }) => `not available: ${tool.name} – needs ${needs}`),
  ].join('\n');
}

function firstSentence(description: string): string {
  const [sentence = ''] = description.split(/(?<=\.)\s|\n/, 1);
  return sentence;
}
