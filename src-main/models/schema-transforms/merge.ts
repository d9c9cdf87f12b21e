import { isRecord } from '../../base/json.ts';
import { define, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Adds the conditions of `source` to `target`, as `allOf` requires, as far as one schema can express both. Otherwise the condition of
 * `target` stays: a missing constraint costs at most an error from the tool.
 */
export function mergeInto(target: SchemaObject, source: SchemaObject): void {
  for (const [keyword, value] of Object.entries(source)) {
    const has = Object.hasOwn(target, keyword) && target[keyword] !== undefined;
    define(target, keyword, has ? merged(keyword, target[keyword], value) : value);
  }
}

function merged(keyword: string, own: unknown, other: unknown): unknown {
  switch (keyword) {
    case 'properties':
      return isRecord(own) && isRecord(other) ? mergedProperties(own, other) : own;
    case 'required':
      return [...new Set([...stringsOf(own), ...stringsOf(other)])];
    case 'type':
      return mergedTypes(own, other);
    case 'enum':
      return Array.isArray(own) && Array.isArray(other) ? own.filter((value) => other.includes(value)) : own;
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minItems':
    case 'minLength':
      return stricter(own, other, Math.max);
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxItems':
    case 'maxLength':
      return stricter(own, other, Math.min);
    case 'nullable':
      return own === true && other === true;
    default:
      return own;
  }
}

function mergedProperties(own: SchemaObject, other: SchemaObject): SchemaObject {
  const all: SchemaObject = {};
  for (const source of [own, other])
    for (const [name, property] of Object.entries(source))
      define(all, name, Object.hasOwn(all, name) ? { allOf: [all[name], property] } : property);
  return all;
}

function mergedTypes(own: unknown, other: unknown): unknown {
  const list = (types: unknown) => (typeof types === 'string' ? [types] : stringsOf(types));
  const both = list(own).flatMap((type) => {
    if (list(other).includes(type)) return [type];
    // Every integer is a number.
    return ['number', 'integer'].includes(type) && list(other).some((each) => each === 'number' || each === 'integer')
      ? ['integer']
      : [];
  });
  if (both.length === 0) return own;
  return both.length === 1 ? both[0] : both;
}

function stricter(own: unknown, other: unknown, pick: (a: number, b: number) => number): unknown {
  if (typeof own !== 'number') return other;
  return typeof other === 'number' ? pick(own, other) : own;
}
