import { backticksAround } from '../base/text.ts';
import type { PermissionGrant } from '../policy/permission-grants.ts';
import type { Services } from '../services.ts';
import { answerToolsCommand, type ToolsCommand } from '../tools/registry/tools-command.ts';

/**
 * The answer to `/tools …` in the chat, as Markdown that shows it verbatim. Switching a tool on asks first, because a page could have sent the
 * line without the person. Source: design section 4 ("One gate").
 */
export async function toolsAnswer(
  command: ToolsCommand,
  { registry, askForGrant }: Pick<Services, 'registry' | 'askForGrant'>,
  signal: AbortSignal,
): Promise<string> {
  const text = await answerToolsCommand(registry, command, (names) =>
    askForGrant(
      toolGrant(
        names.map((name) => ({ name, description: registry.get(name)?.description ?? 'Not currently registered.' })),
      ),
      signal,
    ),
  );
  return fenced(text);
}

/** The question before tools are switched on: their names and descriptions. */
export function toolGrant(tools: readonly { readonly name: string; readonly description: string }[]): PermissionGrant {
  const [first, ...others] = tools;
  return first !== undefined && others.length === 0
    ? { subject: 'tool', key: `tools.${first.name}`, value: first.description }
    : { subject: 'tool', key: 'tools', value: Object.fromEntries(tools.map((tool) => [tool.name, tool.description])) };
}

function fenced(text: string): string {
  const fence = backticksAround(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}
