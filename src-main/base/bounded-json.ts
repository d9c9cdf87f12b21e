import { parseExactJson } from './exact-number.ts';
import { endOfString, QUOTE } from './json.ts';
import { grouped } from './text.ts';

/** The most levels of nesting. Recursive code can handle some thousands; people and schemas use a dozen. */
export const MAX_LEVELS = 200;
/** The limit in UTF-16 units. No model writes that much in one answer. */
export const MAX_INPUT_LENGTH = 1024 * 1024;
/** Objects, arrays and their members: these take time, texts do not. */
export const MAX_VALUES = 100_000;

/**
 * `JSON.parse` for what a program, a user or a server sends. Its limits are checked before anything is parsed. Throws
 * an error whose message gives the reason and completes a sentence ("it is …"). `longest` is in UTF-16 units.
 */
export function parseBoundedJson(text: string, longest: number = MAX_INPUT_LENGTH): unknown {
  checkLength(text, longest);
  checkBoundedText(text);
  return JSON.parse(text);
}

/** Parses the input of a call within the same limits. Whole numbers keep all their digits; see `parseExactJson`. */
export function parseBoundedInput(text: string): unknown {
  checkLength(text, MAX_INPUT_LENGTH);
  checkBoundedText(text);
  return parseExactJson(text, { isStrict: true });
}

function checkLength(text: string, longest: number): void {
  if (text.length > longest)
    throw new Error(`longer than ${grouped(longest)} characters (it has ${grouped(text.length)})`);
}

/** The limits of levels and values, for a text that is not parsed yet. Throws as `parseBoundedJson` does. */
export function checkBoundedText(text: string, mostValues: number = MAX_VALUES): void {
  let levels = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        levels++;
        values++;
        checkBounds(levels, values, mostValues);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        levels--;
        break;
      case COMMA:
        values++;
        checkBounds(levels, values, mostValues);
        break;
    }
  }
}

/**
 * Applies the same limits to a value that is already parsed, but doesn't count its texts. Throws as `parseBoundedJson`
 * does.
 */
export function checkBoundedValue(value: unknown, mostValues: number = MAX_VALUES): void {
  const open: { readonly container: object; readonly level: number }[] = [];
  let values = 1;
  const enter = (part: unknown, level: number) => {
    if (typeof part === 'object' && part !== null) open.push({ container: part, level });
  };
  enter(value, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { container, level } = next;
    const children: unknown[] = Array.isArray(container) ? container : Object.values(container);
    values += children.length;
    checkBounds(level, values, mostValues);
    for (const child of children) enter(child, level + 1);
  }
}

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

function checkBounds(levels: number, values: number, mostValues: number = MAX_VALUES): void {
  if (levels > MAX_LEVELS) throw new Error(`nested more than ${MAX_LEVELS} levels deep`);
  if (values > mostValues) throw new Error(`more than ${grouped(mostValues)} values`);
}
