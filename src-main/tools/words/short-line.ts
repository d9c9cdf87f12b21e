import { firstCharacters, shortened } from '../../base/text.ts';
import { convertToJsonText } from '../registry/json-types.ts';

const MAX_LENGTH = 160;
const NESTED_TOO_DEEP = '…';
/** Arguments may be megabytes long; only this much of one is used for its short form. */
const LOOKED_AT = 10_000;

/** An argument as text: a list of strings is joined, anything else that is not a string becomes JSON. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ');
  if (typeof value === 'object') return convertToJsonText(value) ?? NESTED_TOO_DEEP;
  return String(value);
}

/** The text on one line, cut if it is long. */
export function shortLine(text: string): string {
  const line = firstCharacters(text, LOOKED_AT).replace(/\s+/g, ' ').trim();
  return line.length <= MAX_LENGTH && text.length > LOOKED_AT
    ? `${firstCharacters(line, MAX_LENGTH - 1)}…`
    : shortened(line, MAX_LENGTH);
}
