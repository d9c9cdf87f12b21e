import { IntegerMarks } from '../../src-preload/contract/exact-json.ts';
import { endOfString } from './json.ts';

/** A number in JSON (RFC 8259, section 6). */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBERS = /-?\d[\d.eE+-]*/y;
/** The shortest whole number that a double may not hold has 16 digits. */
const MAY_BE_INEXACT = /\d{16}|\d[eE][+-]?\d{3}/;

/** The number that this text is in JSON, if that is exactly what it says; a bigint where a double does not hold it. */
export function exactNumber(text: string): number | bigint | undefined {
  const written = decimal(text);
  if (written === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && decimal(String(value)) === written) return value;
  return INTEGER.test(text) ? BigInt(text) : undefined;
}

/**
 * Like `JSON.parse`, but with a bigint for each whole number that it would round. With `isStrict`, it throws for a
 * number that is too large or too small for a double. The digits that a fraction has beyond those of a double are lost,
 * as in any program that reads it.
 */
export function parseExactJson(text: string, { isStrict = false } = {}): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text);
  const marks = new IntegerMarks();
  const value: unknown = JSON.parse(withMarks(text, marks, isStrict), (_, each) =>
    marks.isMarked(each) ? marks.integer(each) : each,
  );
  return value;
}

function withMarks(text: string, marks: IntegerMarks, isStrict: boolean): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfString(text, at);
    else {
      NUMBERS.lastIndex = at;
      const [number] = NUMBERS.exec(text) ?? [];
      if (number === undefined) continue;
      const exact = INTEGER.test(number) ? exactNumber(number) : undefined;
      if (isStrict && isLost(number)) throw new Error(`${number} is too large or too small a number`);
      if (typeof exact === 'bigint') {
        pieces.push(text.slice(from, at), JSON.stringify(marks.marked(exact)));
        from = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return from === 0 ? text : `${pieces.join('')}${text.slice(from)}`;
}

function isLost(number: string): boolean {
  if (!NUMBER.test(number) || INTEGER.test(number)) return false;
  const value = Number(number);
  return !Number.isFinite(value) || (value === 0 && /[1-9]/.test(number.replace(/[eE].*/, '')));
}

/** The same text for the same number, however the number is written. */
function decimal(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
