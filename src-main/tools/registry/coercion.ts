import { isRecord, ownValue } from '../../base/json.ts';
import type { JsonSchema } from '../contract.ts';
import { convertToFirst, convertToJsonText, isOfType } from './json-types.ts';
import { differsInCaseOnly, isTextOf, listedIn, MAX_HOPS, resolveReferences, typesOf } from './schema-reading.ts';

/**
 * Converts a value to match a JSON Schema as far as possible without guessing: `"5"` → 5, `"true"` → true, 5 → `"5"`,
 * JSON text → object or array and, for a string that is JSON text, the reverse; a single value → a one-element array;
 * numbers are clamped to their documented range; enum values match case-insensitively. Strings are never copied or
 * searched, whatever their length, unless a conversion needs it. Source: tool catalogue A.6, rules 5 to 7.
 */
export type Coerced =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: CoercionProblem };

export interface CoercionProblem {
  /**
   * With `type`, the value itself can't be converted. With `enum`, it is not one of the allowed values. With `nested`,
   * a value inside it is invalid.
   */
  readonly kind: 'type' | 'enum' | 'nested';
  /** The text without the tool's prefix: `limit must be a number`. */
  readonly text: string;
}

/** A schema with its root, in which `$ref`s are resolved; one per call. */
export class SchemaDocument {
  readonly root: JsonSchema;
  /** Recursive unions grow exponentially: after this many alternatives the rest is not converted. */
  #branchesLeft = 10_000;

  constructor(root: JsonSchema) {
    this.root = root;
  }

  mayTryBranch(): boolean {
    this.#branchesLeft--;
    return this.#branchesLeft >= 0;
  }
}

/** `contentMediaType` (JSON Schema 2020-12, validation 8.4) of a string that is JSON text. */
export const JSON_TEXT = 'application/json';

/** `path` names the value in error texts (`todos[0].content`). */
export function coerce(schema: unknown, value: unknown, path: string, document: SchemaDocument, depth = 0): Coerced {
  const resolved = resolveReferences(schema, document.root);
  if (resolved === undefined || depth > MAX_HOPS) return fits(value);

  const types = typesOf(resolved);
  if (types.length === 0) return coerceToBranch(resolved, value, path, document, depth);

  const matching = types.find((type) => isOfType(type, value));
  const converted =
    matching === undefined
      ? (convertToFirst(types, value) ?? jsonTextOf(resolved, types, value))
      : { type: matching, value };
  if (converted === undefined) return misfit('type', `${path} must be a ${types.join(' or ')}`);

  const inner = coerceInside(resolved, converted, path, document, depth);
  return inner.ok ? checkListed(resolved, inner.value, path) : inner;
}

/** The default for an absent parameter, never shared between calls. */
export function defaultOf(schema: unknown, document: SchemaDocument): unknown {
  const resolved = resolveReferences(schema, document.root);
  const value = resolved === undefined ? undefined : resolved.default;
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}

/** Whether null is a valid value for this schema rather than a missing one. */
export function allowsNull(schema: unknown, document: SchemaDocument, depth = 0): boolean {
  const resolved = resolveReferences(schema, document.root);
  if (resolved === undefined || depth > MAX_HOPS) return true;
  const branches = branchesOf(resolved);
  if (branches.length > 0)
    return branches.some((branch) => document.mayTryBranch() && allowsNull(branch, document, depth + 1));
  const types = typesOf(resolved);
  return types.length === 0 ? !Array.isArray(resolved.enum) || resolved.enum.includes(null) : types.includes('null');
}

function coerceInside(
  schema: JsonSchema,
  { type, value }: { type: string; value: unknown },
  path: string,
  document: SchemaDocument,
  depth: number,
): Coerced {
  if (typeof value === 'number') return clamp(schema, type, value, path);
  if (Array.isArray(value)) return coerceItems(schema, value, path, document, depth);
  if (isRecord(value)) return coerceProperties(schema, value, path, document, depth);
  return fits(value);
}

/** Converts a value for a JSON text parameter, because models often pass the value itself. */
function jsonTextOf(
  schema: JsonSchema,
  types: readonly string[],
  value: unknown,
): { type: string; value: unknown } | undefined {
  if (schema.contentMediaType !== JSON_TEXT || !types.includes('string')) return undefined;
  const text = convertToJsonText(value);
  return text === undefined ? undefined : { type: 'string', value: text };
}

function clamp(schema: JsonSchema, type: string, value: number, path: string): Coerced {
  let clamped = type === 'integer' ? Math.trunc(value) : value;
  if (typeof schema.minimum === 'number' && clamped < schema.minimum) clamped = schema.minimum;
  if (typeof schema.maximum === 'number' && clamped > schema.maximum) clamped = schema.maximum;
  return Number.isFinite(clamped) ? fits(clamped) : misfit('type', `${path} must be a ${type}`);
}

function coerceItems(
  schema: JsonSchema,
  items: readonly unknown[],
  path: string,
  document: SchemaDocument,
  depth: number,
): Coerced {
  if (!isRecord(schema.items)) return fits(items);
  const coerced: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const result = coerce(schema.items, item, `${path}[${index}]`, document, depth + 1);
    if (!result.ok) return nested(result.problem);
    coerced.push(result.value);
  }
  return fits(coerced);
}

function coerceProperties(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  document: SchemaDocument,
  depth: number,
): Coerced {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries: [string, unknown][] = [];
  for (const name of required) {
    if (typeof name !== 'string') continue;
    const given = ownValue(value, name);
    const isMissing = given === undefined || (given === null && !allowsNull(ownValue(properties, name), document));
    if (isMissing) return misfit('nested', `${path}.${name} is required`);
  }
  for (const [name, property] of Object.entries(properties)) {
    const given = ownValue(value, name);
    if (given === undefined || (given === null && !allowsNull(property, document))) {
      const byDefault = defaultOf(property, document);
      if (byDefault !== undefined) entries.push([name, byDefault]);
      continue;
    }
    const result = coerce(property, given, `${path}.${name}`, document, depth + 1);
    if (result.ok) entries.push([name, result.value]);
    else if (result.problem.kind !== 'type' || required.includes(name)) return nested(result.problem);
    else {
      const byDefault = defaultOf(property, document);
      if (byDefault !== undefined) entries.push([name, byDefault]);
    }
  }
  if (schema.additionalProperties !== false) {
    for (const [name, given] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) continue;
      const result = coerce(schema.additionalProperties, given, `${path}.${name}`, document, depth + 1);
      if (!result.ok) return nested(result.problem);
      entries.push([name, result.value]);
    }
  }
  return fits(Object.fromEntries(entries));
}

function coerceToBranch(
  schema: JsonSchema,
  value: unknown,
  path: string,
  document: SchemaDocument,
  depth: number,
): Coerced {
  const branches = branchesOf(schema);
  if (branches.length === 0) return checkListed(schema, value, path);
  const exact = branches.filter((branch) => {
    const resolved = resolveReferences(branch, document.root);
    if (resolved === undefined || typesOf(resolved).some((type) => isOfType(type, value))) return true;
    return listedIn(resolved)?.some((listed) => listed === value || isTextOf(listed, value)) === true;
  });
  let first: CoercionProblem | undefined;
  for (const branch of new Set([...exact, ...branches])) {
    if (!document.mayTryBranch()) return fits(value);
    const result = coerce(branch, value, path, document, depth + 1);
    if (result.ok) return result;
    first ??= result.problem;
  }
  return first === undefined ? fits(value) : { ok: false, problem: first };
}

/** A `const` that the value is not is left to the tool: its error says more than one of ours could. */
function checkListed(schema: JsonSchema, value: unknown, path: string): Coerced {
  const listed = listedIn(schema);
  if (listed === undefined || listed.includes(value)) return fits(value);
  // `post` can only mean POST.
  const [meant, ...others] = listed.filter((each) => isTextOf(each, value) || differsInCaseOnly(each, value));
  if (meant !== undefined && others.length === 0) return fits(structuredClone(meant));
  if (!Array.isArray(schema.enum)) return fits(value);
  return misfit('enum', `${path} must be one of: ${schema.enum.map(String).join(', ')}`);
}

function branchesOf(schema: JsonSchema): readonly unknown[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf;
  return Array.isArray(schema.oneOf) ? schema.oneOf : [];
}

function fits(value: unknown): Coerced {
  return { ok: true, value };
}

function misfit(kind: CoercionProblem['kind'], text: string): Coerced {
  return { ok: false, problem: { kind, text } };
}

function nested(problem: CoercionProblem): Coerced {
  return misfit('nested', problem.text);
}
