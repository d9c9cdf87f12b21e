import { grouped } from '../base/text.ts';

/** No key or token record is longer. */
const MAX_LENGTH = 16_384;

/** The value without surrounding blanks, or the reason (for people, without the value) why it can't be used. */
export function secretValue(text: string): { readonly value: string } | { readonly refused: string } {
  const value = text.trim();
  if (value === '') return { refused: 'is empty' };
  if (value.length > MAX_LENGTH) return { refused: `is longer than ${grouped(MAX_LENGTH)} characters` };
  if (/[\r\n]/.test(value)) return { refused: 'has more than one line; copy only the key itself' };
  const odd = value.search(/[^\x20-\x7e]/);
  if (odd >= 0) return { refused: `has a character at position ${odd + 1} that keys do not have; copy the key again` };
  return { value };
}

/** What must be redacted because of this value: the value itself, and the tokens in it if it is a JSON record. */
export function sensitiveParts(value: string): string[] {
  const parts = [value];
  if (value.startsWith('{')) {
    try {
      collectTokens(JSON.parse(value), parts);
    } catch {
      // The text was not JSON after all, so there is only the value itself.
      return parts;
    }
  }
  return parts;
}

function collectTokens(record: unknown, parts: string[]): void {
  if (typeof record !== 'object' || record === null) return;
  for (const [key, member] of Object.entries(record)) {
    if (typeof member === 'string' && /token|secret|key|code/i.test(key)) parts.push(member);
    else collectTokens(member, parts);
  }
}
