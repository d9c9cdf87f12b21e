const LONGEST_TITLE = 60;
const TOOL_LINE = /^(\/\S+)\s+(\{.*\})$/;

/** What a conversation is called until the person renames it: the first line of what was asked. */
export function titleOf(prompt: string): string {
  const line = withoutJson(prompt.trim().split('\n')[0] ?? '');
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}

/** Of a line that calls a tool, its name and what about: `/read_file {"path": "a.txt"}` gives `/read_file a.txt`. */
function withoutJson(line: string): string {
  const [, name, json] = TOOL_LINE.exec(line) ?? [];
  if (name === undefined || json === undefined) return line;
  try {
    const input: object = JSON.parse(json);
    const values = Object.values(input).filter((value) => typeof value === 'string' || typeof value === 'number');
    return [name, values.join(' · ').replace(/\s+/g, ' ')].join(' ').trim();
  } catch {
    // Not valid JSON: it is called what was written.
    return line;
  }
}
