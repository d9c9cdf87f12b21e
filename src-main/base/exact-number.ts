import { endOfString } from './bounded-json.ts';

/** A number in JSON (RFC 8259, section 6). */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const PARTS_OF_NUMBERS = /[\d.eE+-]/;
/** The shortest whole number that a double may not hold has 16 digits. */
const MAY_BE_INEXACT = /\d{16}|\d[eE][+-]?\d{3}/;

/** The number that this text is in JSON, if a double holds exactly that and nothing else. */
export function exactNumber(text: string): number | undefined {
  const written = decimal(text);
  if (written === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && decimal(String(value)) === written ? value : undefined;
}

/**
 * A number in this JSON text that `JSON.parse` would make another one of, and that JSON from then on would not be what was written: a whole
 * number of too many digits, one beyond the largest or below the smallest. The digits that a fraction has beyond those of a double are lost in
 * any program that reads it. `undefined`: there is none.
 */
export function inexactNumberIn(json: string): string | undefined {
  if (!MAY_BE_INEXACT.test(json)) return undefined;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '"') at = endOfString(json, at);
    else if (character === '-' || isDigit(character)) {
      const start = at;
      while (PARTS_OF_NUMBERS.test(json[at + 1] ?? '')) at++;
      const text = json.slice(start, at + 1);
      if (isLost(text)) return text;
    }
  }
  return undefined;
}

function isLost(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return NUMBER.test(text);
  if (value === 0) return /[1-9]/.test(text.replace(/[eE].*$/, ''));
  return /^-?\d+$/.test(text) && exactNumber(text) === undefined;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** The same text for the same number, however it is written. */
function decimal(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
