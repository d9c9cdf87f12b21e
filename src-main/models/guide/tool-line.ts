import { parseBoundedInput } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

export interface ToolLine {
  readonly name: string;
  /** Everything that follows the name, as written; it may be empty. */
  readonly input: string;
}

/** The slash, one word without another slash, and what follows. */
const COMMAND = /^\/([\p{L}\p{N}_:.-]+)(?:\s+([\s\S]*))?$/u;

/**
 * Parses `/word …`, ignoring surrounding blanks. Returns `undefined` if the text is not a command. The window, the
 * terminal and the Guide all use this: text that begins with a path (`/etc/hosts`) or a comment is no command. A
 * registered name of two parts would be recognised here.
 */
export function parseToolLine(text: string): ToolLine | undefined {
  const [, name, input = ''] = COMMAND.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, input };
}

export function isCommandLine(text: string): boolean {
  return parseToolLine(text) !== undefined;
}

export type SlashCall =
  | { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly name: string; readonly reason: string };

/** The call in a tool line; without JSON the input is empty. */
export function slashCall(line: string): SlashCall {
  const { name, input: json } = parseToolLine(line) ?? { name: '', input: '' };
  if (json === '') return { name, input: {} };
  let input: unknown;
  try {
    input = parseBoundedInput(json);
  } catch (error) {
    return { name, reason: errorMessage(error) };
  }
  return isRecord(input) ? { name, input } : { name, reason: 'it must be an object in braces' };
}
