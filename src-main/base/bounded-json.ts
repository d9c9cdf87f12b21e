import { grouped } from './text.ts';

/** Levels of nesting. Recursive code can handle some thousands; people and schemas use a dozen. */
export const MOST_LEVELS = 200;
/** UTF-16 units. No model writes that much in one answer. */
export const LONGEST_INPUT = 1024 * 1024;
/** Objects, arrays and their members: these take time, texts do not. */
export const MOST_VALUES = 100_000;

/**
 * `JSON.parse` for tool input that a model, a person or a server sends. Its limits are checked before anything is parsed.
 * Throws an error whose message gives the reason and completes a sentence ("it is …").
 */
export function parseBoundedJson(text: string): unknown {
  if (text.length > LONGEST_INPUT)
    throw new Error(`longer than ${grouped(LONGEST_INPUT)} characters (it has ${grouped(text.length)})`);
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
        checkBounds(levels, values);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        levels--;
        break;
      case COMMA:
        values++;
        checkBounds(levels, values);
        break;
    }
  }
  return JSON.parse(text);
}

/** The same limits for a value that is already parsed; its texts are not counted. Throws as `parseBoundedJson` does. */
export function checkBoundedValue(value: unknown): void {
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
    checkBounds(level, values);
    for (const child of children) enter(child, level + 1);
  }
}

/** Whether a parsed value is nested more than `MOST_LEVELS` deep: code that calls itself for each level must not get it. */
export function isTooDeep(value: unknown): boolean {
  const open: { readonly part: unknown; readonly level: number }[] = [{ part: value, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, level } = next;
    if (typeof part !== 'object' || part === null) continue;
    if (level >= MOST_LEVELS) return true;
    for (const child of Object.values(part)) open.push({ part: child, level: level + 1 });
  }
  return false;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Index of the quote that closes the string which the one at `start` opens; the end of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}

function checkBounds(levels: number, values: number): void {
  if (levels > MOST_LEVELS) throw new Error(`nested more than ${MOST_LEVELS} levels deep`);
  if (values > MOST_VALUES) throw new Error(`more than ${grouped(MOST_VALUES)} values`);
}
