import { parseBoundedJson } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';

export type SlashCall =
  | { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly name: string; readonly reason: string };

/** Reads `/tool_name {json}`; without JSON the input is empty. */
export function slashCall(line: string): SlashCall {
  const [, name = '', json = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  if (json.trim() === '') return { name, input: {} };
  let input: unknown;
  try {
    input = parseBoundedJson(json);
  } catch (error) {
    return { name, reason: errorMessage(error) };
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { name, reason: 'it must be an object in braces' };
  }
  return { name, input: { ...input } };
}
