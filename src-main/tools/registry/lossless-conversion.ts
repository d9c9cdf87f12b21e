import { parseBoundedInput } from '../../base/bounded-json.ts';
import { exactNumber } from '../../base/exact-number.ts';
import { isRecord } from '../../base/json.ts';
import { isOfType } from './json-types.ts';

const MAX_WORD_LENGTH = 64;

/** The value in one of these JSON Schema types, in their order, without loss. Source: tool catalogue A.6. */
export function* converted(types: readonly string[], value: unknown): Generator<unknown> {
  for (const type of types) yield* inType(type, value);
}

function* inType(type: string, value: unknown): Generator<unknown> {
  switch (type) {
    case 'number':
    case 'integer': {
      const number = typeof value === 'string' && value.length <= MAX_WORD_LENGTH ? exactNumber(value) : undefined;
      if (number !== undefined && isOfWrittenType(type, number)) yield number;
      return;
    }
    case 'boolean':
      if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) yield value.toLowerCase() === 'true';
      return;
    case 'object': {
      const parsed = parsedJson(value, '{');
      if (isRecord(parsed)) yield parsed;
      return;
    }
    case 'array': {
      const parsed = parsedJson(value, '[');
      if (Array.isArray(parsed)) yield parsed;
      if (value !== null && value !== undefined) yield [value];
      return;
    }
  }
}

function parsedJson(value: unknown, opening: '{' | '['): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return undefined;
  try {
    return parseBoundedInput(value);
  } catch {
    return undefined;
  }
}

/** A bigint is a whole number of more digits than a double holds; the infinities are no numbers in JSON. */
export function isOfWrittenType(type: string, value: unknown): boolean {
  if (typeof value === 'bigint') return type === 'integer' || type === 'number';
  return isOfType(type, value) && (typeof value !== 'number' || Number.isFinite(value));
}
