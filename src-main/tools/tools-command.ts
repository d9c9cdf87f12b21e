import { errorMessage } from './error-message.ts';
import type { ToolRegistry } from './registry.ts';

const USAGE = 'Usage: /tools [list] | /tools enable NAME… | /tools disable NAME… (names may hold * and ?)';

/** Answers `/tools …`; `args` is what stands behind `/tools`. Source: tool catalogue A.5. */
export async function answerToolsCommand(registry: ToolRegistry, args: string): Promise<string> {
  const [verb = 'list', ...names] = args.split(/\s+/).filter((word) => word !== '');
  switch (verb.toLowerCase()) {
    case 'list':
      return listText(registry);
    case 'enable':
    case 'disable': {
      if (names.length === 0) return USAGE;
      const isEnabling = verb.toLowerCase() === 'enable';
      try {
        const { changed, notFound } = await (isEnabling ? registry.enable(names) : registry.disable(names));
        const done = isEnabling ? 'Enabled' : 'Disabled';
        return [...changed.map((name) => `${done}: ${name}`), ...notFound.map((name) => `Not found: ${name}`)].join(
          '\n',
        );
      } catch (error) {
        return `Error: The setting holds until the program ends, but could not be saved: ${errorMessage(error)}`;
      }
    }
    default:
      return USAGE;
  }
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
  ].join('\n');
}

function firstSentence(description: string): string {
  const [sentence = ''] = description.split(/(?<=\.)\s|\n/, 1);
  return sentence;
}
