import { MAX_INPUT_LENGTH } from '../../base/bounded-json.ts';

/**
 * JSON as the tools read and write it: like `JSON.parse` (key order, duplicate keys, `__proto__`), except that numbers
 * which don't fit in a double keep their digits. Source: tool catalogue B.9.
 */
export interface JsonDocument {
  readonly value: unknown;
  /**
   * Writes `part` of this document as JSON text, indented by two blanks. Throws an error with the reason if it can't be
   * written.
   */
  pretty(part: unknown): string;
}

/** A number with more digits, or a larger exponent, than a double can hold. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

const MAX_INDENTATION_LENGTH = 16 * 1024 * 1024;
const MAX_DEPTH = 1_000;
const INDENT = 2;
/** Only such a text can contain a number that doesn't fit in a double. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d/;

/** Reads JSON text. Rejects with an error that gives the reason. */
export async function readJson(given: string): Promise<JsonDocument> {
  // RFC 8259, section 8.1: a byte order mark may be ignored. JSON.parse would report an invisible unexpected token.
  const source = given.startsWith('\uFEFF') ? given.slice(1) : given;
  if (source.length > MAX_INPUT_LENGTH)
    throw new Error(`the text has ${source.length} characters, the most is ${MAX_INPUT_LENGTH}`);
  const value: unknown = JSON.parse(source);
  measure(value);
  if (!MAY_LOSE_DIGITS.test(source)) return { value, pretty: (part) => prettyText(part, plain) };
  const { parse, stringify, isSafeNumber } = await import('lossless-json');
  const exact = [
    {
      test: (part: unknown) => part instanceof ExactNumber,
      stringify: (part: unknown) => (part instanceof ExactNumber ? part.digits : String(part)),
    },
  ];
  return {
    value: parse(source, null, {
      parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new ExactNumber(digits)),
      onDuplicateKey: ({ newValue }) => newValue,
    }),
    pretty: (part) => prettyText(part, (each) => stringify(each, null, INDENT, exact)),
  };
}

/** Throws for a value nested so deeply that serialising it would fail. */
function measure(value: unknown): { readonly indentation: number } {
  let indentation = 0;
  const open: { readonly container: object; readonly depth: number }[] = [];
  const enter = (part: unknown, depth: number) => {
    if (typeof part === 'object' && part !== null) open.push({ container: part, depth });
  };
  enter(value, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { container, depth } = next;
    if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
    const children: unknown[] = Array.isArray(container) ? container : Object.values(container);
    indentation += children.length * depth * INDENT;
    for (const child of children) enter(child, depth + 1);
  }
  return { indentation };
}

function prettyText(part: unknown, write: (part: unknown) => string | undefined): string {
  if (measure(part).indentation > MAX_INDENTATION_LENGTH) throw new Error('it would be too long when indented');
  return write(part) ?? 'null';
}

function plain(part: unknown): string {
  return JSON.stringify(part, null, INDENT);
}
