import { parseBoundedJson } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

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

export type SlashCall =
  | { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly name: string; readonly reason: string };

/** The call that a tool line is; without JSON the input is empty. */
export function slashCall(line: string): SlashCall {
  const { name, input: json } = parseToolLine(line) ?? { name: '', input: '' };
  if (json === '') return { name, input: {} };
  let input: unknown;
  try {
    input = parseBoundedJson(json);
  } catch (error) {
    return { name, reason: errorMessage(error) };
  }
  return isRecord(input) ? { name, input } : { name, reason: 'it must be an object in braces' };
}
