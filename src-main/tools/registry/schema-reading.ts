import { isRecord, ownValue } from '../../base/json.ts';
import type { JsonSchema } from '../contract.ts';

/** Deeper values and longer chains of references are left unchanged: schemas may be recursive. */
export const MAX_HOPS = 64;

export function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === 'string') : [];
}

/** The values that a schema lists, or undefined if it lists none. */
export function listedIn(schema: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const] : undefined;
}

export function requiredIn({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Accepts `"3"` for 3, because Gemini's schemas list texts only. */
export function isTextOf(listed: unknown, value: unknown): boolean {
  if (typeof value !== 'string' || typeof listed === 'string' || listed === null) return false;
  return JSON.stringify(listed) === value;
}

/** Long values are not copied: enum values are short. */
export function differsInCaseOnly(listed: unknown, value: unknown): boolean {
  if (typeof listed !== 'string' || typeof value !== 'string' || listed.length !== value.length) return false;
  return listed.toLowerCase() === value.toLowerCase();
}

/** Undefined if there is no schema, or a reference that can't be resolved. */
export function resolveReferences(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  let current = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isRecord(current)) return undefined;
    if (typeof current.$ref !== 'string') return current;
    current = referred(current.$ref, root);
  }
  return undefined;
}

/** A local JSON pointer, also as a URI fragment (RFC 6901, section 6): `#/$defs/Item`. */
export function referred(reference: string, root: JsonSchema): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const segment of reference.slice(2).split('/')) {
    const name = decodedFragment(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current)) current = /^\d+$/.test(name) ? current[Number(name)] : undefined;
    else if (isRecord(current)) current = ownValue(current, name);
    else return undefined;
  }
  return current;
}

function decodedFragment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
