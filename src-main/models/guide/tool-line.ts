export interface ToolLine {
  /** What stands before the first blank; it may be no name at all. */
  readonly name: string;
  /** Whatever follows, as it was written; empty if nothing does. */
  readonly input: string;
}

/** Reads `/tool_name {json}`, blanks around it aside. `undefined`: the text does not begin with a slash. */
export function parseToolLine(text: string): ToolLine | undefined {
  const [, name, input = ''] = /^\/(\S*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, input };
}
