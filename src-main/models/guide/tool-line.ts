export interface ToolLine {
  readonly name: string;
  /** Whatever follows, as it was written; empty if nothing does. */
  readonly input: string;
}

/** The slash, one word without another slash, and what follows. */
const COMMAND = /^\/([\p{L}\p{N}_:.-]+)(?:\s+([\s\S]*))?$/u;

/**
 * Reads `/word …`, blanks around it aside. `undefined`: the text is no command. This is the one place where that is decided, for the
 * window, the terminal and the Guide: text that begins with a path (`/etc/hosts`) or a comment is text. A registered name of two parts
 * would be recognised here.
 */
export function parseToolLine(text: string): ToolLine | undefined {
  const [, name, input = ''] = COMMAND.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, input };
}

export function isCommandLine(text: string): boolean {
  return parseToolLine(text) !== undefined;
}
