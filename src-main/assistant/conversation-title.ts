const LONGEST_TITLE = 60;

/** What a conversation is called until the person renames it: the first line of what was asked. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}
