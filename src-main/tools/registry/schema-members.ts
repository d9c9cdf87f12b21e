import { createContext, runInContext } from 'node:vm';
import { isRecord, ownValue } from '../../base/json.ts';
import type { JsonSchema } from '../contract.ts';
import { referred } from './schema-reading.ts';

/** A pattern of a server can take for ever: one that takes longer is left to the server. */
const PATTERN_MS = 50;
const MAX_NAME_LENGTH = 1_000;
const MAX_PARTS = 1_000;

/** The schemas that this node has for a member. If there are none, any value is allowed. */
export function memberSchemas(schema: JsonSchema, name: string): readonly unknown[] | 'forbidden' {
  const own = isRecord(schema.properties) ? ownValue(schema.properties, name) : undefined;
  const patterns = isRecord(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const matches = patterns.map(([pattern, value]) => ({ value, isMatch: matchesPattern(pattern, name) }));
  const schemas = [own, ...matches.flatMap(({ value, isMatch }) => (isMatch === true ? [value] : []))].filter(
    (each) => each !== undefined,
  );
  if (schemas.length > 0) return schemas.includes(false) ? 'forbidden' : schemas;
  if (matches.some(({ isMatch }) => isMatch === 'unknown')) return [];
  if (schema.additionalProperties === false) return 'forbidden';
  return schema.additionalProperties === undefined ? [] : [schema.additionalProperties];
}

/**
 * Whether any part of the node says something about a member of this name, where it forbids all others
 * (`unevaluatedProperties`).
 */
export function evaluatedNames(schema: JsonSchema, root: JsonSchema): (name: string) => boolean {
  const parts: JsonSchema[] = [];
  const open: unknown[] = [schema];
  while (open.length > 0 && parts.length < MAX_PARTS) {
    const next = open.pop();
    if (!isRecord(next)) continue;
    parts.push(next);
    if (typeof next.$ref === 'string') open.push(referred(next.$ref, root));
    for (const part of [next.allOf, next.anyOf, next.oneOf]) if (Array.isArray(part)) open.push(...part);
    if (isRecord(next.dependentSchemas)) open.push(...Object.values(next.dependentSchemas));
    open.push(next.if, next.then, next.else);
  }
  return (name) =>
    open.length > 0 ||
    parts.some((part) => {
      const schemas = memberSchemas(part, name);
      return schemas !== 'forbidden' && (schemas.length > 0 || hasUnknownPattern(part, name));
    });
}

function hasUnknownPattern({ patternProperties }: JsonSchema, name: string): boolean {
  return (
    isRecord(patternProperties) &&
    Object.keys(patternProperties).some((pattern) => matchesPattern(pattern, name) === 'unknown')
  );
}

let sandbox: ReturnType<typeof createContext> | undefined;
/**
 * Patterns that were too slow. They are not tried again, and after this many no other is, because a server may list
 * thousands.
 */
const tooSlow = new Set<string>();
const MAX_SLOW = 20;

function matchesPattern(pattern: string, name: string): boolean | 'unknown' {
  if (name.length > MAX_NAME_LENGTH || pattern.length > MAX_NAME_LENGTH) return 'unknown';
  try {
    return isQuick(pattern) ? new RegExp(pattern, 'u').test(name) : matchesInTime(pattern, name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'unknown';
  }
}

/**
 * Whether a pattern has at most one repetition. It then takes at most as many steps as the square of the name's length.
 */
function isQuick(pattern: string): boolean {
  return (pattern.match(/[*+{]/g) ?? []).length <= 1 && !/\\[1-9k]/.test(pattern);
}

/** Matches in a context of its own, because only there can a pattern be stopped. */
function matchesInTime(pattern: string, name: string): boolean | 'unknown' {
  if (tooSlow.has(pattern) || tooSlow.size >= MAX_SLOW) return 'unknown';
  sandbox ??= createContext({}, { codeGeneration: { strings: false, wasm: false } });
  Object.assign(sandbox, { pattern, name });
  try {
    return runInContext('new RegExp(pattern, "u").test(name)', sandbox, { timeout: PATTERN_MS }) === true;
  } catch {
    tooSlow.add(pattern);
    return 'unknown';
  }
}
