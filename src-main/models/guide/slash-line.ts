import { parseBoundedJson } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parseToolLine } from './tool-line.ts';

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
