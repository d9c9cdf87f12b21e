import { isRecord } from '../../base/json.ts';
import { define, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Returns one schema with the conditions of all, as `allOf` requires, as far as one can express them. Otherwise the
 * condition of the first stays: a missing constraint costs at most an error from the tool. The time is linear in the
 * members of all schemas.
 */
export function mergedSchema(schemas: readonly SchemaObject[]): SchemaObject {
  const values = new Map<string, unknown[]>();
  for (const schema of schemas)
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined) continue;
      const given = values.get(keyword);
      if (given === undefined) values.set(keyword, [value]);
      else given.push(value);
    }
  const result: SchemaObject = {};
  for (const [keyword, given] of values)
    define(result, keyword, given.length === 1 ? given[0] : merged(keyword, given));
  return result;
}

function merged(keyword: string, given: readonly unknown[]): unknown {
  switch (keyword) {
    case 'properties':
      return mergedProperties(given.filter(isRecord));
    case 'required':
      return [...new Set(given.flatMap(stringsOf))];
    case 'type':
      return given.reduce(commonTypes);
    case 'enum':
      return given.reduce(commonValues);
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minItems':
    case 'minLength':
      return given.reduce((own, other) => stricter(own, other, Math.max));
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxItems':
    case 'maxLength':
      return given.reduce((own, other) => stricter(own, other, Math.min));
    case 'nullable':
      return given.every((value) => value === true);
    default:
      return given[0];
  }
}

function mergedProperties(given: readonly SchemaObject[]): SchemaObject {
  const declarations = new Map<string, unknown[]>();
  for (const properties of given)
    for (const [name, property] of Object.entries(properties)) {
      const others = declarations.get(name);
      if (others === undefined) declarations.set(name, [property]);
      else others.push(property);
    }
  const all: SchemaObject = {};
  for (const [name, allOf] of declarations) define(all, name, allOf.length === 1 ? allOf[0] : { allOf });
  return all;
}

function commonValues(own: unknown, other: unknown): unknown {
  if (!Array.isArray(own) || !Array.isArray(other)) return own;
  const others = new Set<unknown>(other);
  return own.filter((value) => others.has(value));
}

function commonTypes(own: unknown, other: unknown): unknown {
  const others = new Set(typesIn(other));
  // Every integer is a number.
  const isNumeric = others.has('number') || others.has('integer');
  const both = typesIn(own).flatMap((type) => {
    if (others.has(type)) return [type];
    return isNumeric && (type === 'number' || type === 'integer') ? ['integer'] : [];
  });
  if (both.length === 0) return own;
  return both.length === 1 ? both[0] : both;
}

function typesIn(types: unknown): readonly string[] {
  return typeof types === 'string' ? [types] : stringsOf(types);
}

function stricter(own: unknown, other: unknown, pick: (a: number, b: number) => number): unknown {
  if (typeof own !== 'number') return other;
  return typeof other === 'number' ? pick(own, other) : own;
}
