import type { Services } from '../services.ts';
import { answerToolsCommand } from '../tools/tools-command.ts';

/**
 * The answer to `/tools …` in the chat, as Markdown that shows it as it is. Switching a tool on is asked about, because a page
 * could have sent the line by itself. Source: design section 4 ("One gate").
 */
export async function toolsAnswer(
  { verb, names }: { readonly verb: string; readonly names: readonly string[] },
  { registry, askForGrant }: Pick<Services, 'registry' | 'askForGrant'>,
  signal: AbortSignal,
): Promise<string> {
  const mayEnable = (switchedOff: readonly string[]) => {
    const described = switchedOff.map(
      (name) => [name, registry.get(name)?.description ?? 'Not registered now.'] as const,
    );
    const [first, ...others] = described;
    const [key, value] =
      first !== undefined && others.length === 0
        ? [`tools.${first[0]}`, first[1]]
        : ['tools', Object.fromEntries(described)];
    return askForGrant({ subject: 'tool', key, value }, signal);
  };
  const text = await answerToolsCommand(registry, [verb, ...names].join(' '), mayEnable);
  return fenced(text);
}

/** Longer than any fence inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
