import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { parseBoundedInput } from '../../base/bounded-json.ts';
import { isRecord } from '../../base/json.ts';

const MAX_NUMBER_LENGTH = 64;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The value converted to the first of these JSON Schema types that it can be converted to. Source: tool catalogue A.6,
 * rule 5.
 */
export function convertToFirst(types: readonly string[], value: unknown): { type: string; value: unknown } | undefined {
  for (const type of types) {
    const converted = convert(type, value);
    if (converted !== undefined) return { type, value: converted };
  }
  return undefined;
}

/** Undefined if the value can't be converted. */
function convert(type: string, value: unknown): unknown {
  switch (type) {
    case 'string':
      return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
    case 'number':
    case 'integer':
      if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'string' ? parseNumber(value) : undefined;
    case 'boolean':
      return typeof value === 'string' ? parseBoolean(value) : undefined;
    case 'object': {
      const parsed = parseJsonText(value, '{');
      return isRecord(parsed) ? parsed : undefined;
    }
    case 'array': {
      const parsed = parseJsonText(value, '[');
      if (Array.isArray(parsed)) return parsed;
      return value === null || value === undefined ? undefined : [value];
    }
    default:
      return undefined;
  }
}

function parseNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

function parseJsonText(value: unknown, opening: '{' | '['): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return undefined;
  try {
    return parseBoundedInput(value);
  } catch {
    return undefined;
  }
}

/** An object or array as JSON text, or undefined if it is neither, or nested too deeply to serialise. */
export function convertToJsonText(value: unknown): string | undefined {
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  try {
    return exactJson(value);
  } catch {
    return undefined;
  }
}

export function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value);
    default:
      return typeof value === type;
  }
}
