import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';
import { atPointer } from './references.ts';
import { define, type SchemaObject, stringsOf, validSchema } from './valid-json-schema.ts';

/**
 * Makes the root of a tool's input an object. Every service requires one there, and none accepts alternatives in
 * addition to or instead of it, so they are merged into it: their parameters stay visible, and their conditions are
 * described in words. Source: tool catalogue A.10.
 */
export interface ToolSchemaSource {
  readonly name: string;
  readonly description: string;
  /** Any JSON value: client tools may register `{}`, MCP servers anything at all. */
  readonly inputSchema: unknown;
}

export interface ObjectRoot {
  /** The schema is valid by draft 2020-12, and each of `required` is in `properties`. */
  readonly schema: SchemaObject & { readonly type: 'object'; readonly properties: SchemaObject };
  /** What had to be left out of the schema. It goes into the description. */
  readonly notes: readonly string[];
}

const COMBINATORS = {
  oneOf: 'The input must match exactly one of these JSON Schemas',
  anyOf: 'The input must match at least one of these JSON Schemas',
  allOf: 'The input must match all of these JSON Schemas',
} as const;

/** Longer alternatives are cut: they help the model, but should not dominate the description. */
const MAX_FOLDED_CHARACTERS = 4_000;
const MAX_REFERENCES = 10;
/** Alternatives may refer to themselves and grow exponentially. */
const MAX_ALTERNATIVES = 200;

interface Folding {
  readonly document: SchemaObject;
  /** The schemas that references lead to, made valid. */
  readonly targets: Map<object, SchemaObject | boolean>;
  alternativesLeft: number;
}

export function objectRoot(source: unknown): ObjectRoot {
  const valid = validSchema(source);
  if (!isRecord(valid)) return { schema: { type: 'object', properties: {} }, notes: [] };
  const folding = { document: valid, targets: new Map(), alternativesLeft: MAX_ALTERNATIVES };
  const { root, folded } = withoutCombinators(valid, folding);
  const notes = folded.map(([combinator, alternatives]) => foldedNote(combinator, alternatives));
  const { type, properties = {}, required, ...rest } = root;
  const named = isRecord(properties) ? properties : {};
  const requiredNames = stringsOf(required).filter((name) => Object.hasOwn(named, name));
  return {
    schema: {
      ...rest,
      type: 'object',
      properties: named,
      ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    },
    notes: [...notes, ...noteOnType(type)],
  };
}

/** Returns a non-empty description for each tool, whatever the source says, with what the schema could not express. */
export function describedWith({ name, description }: ToolSchemaSource, notes: readonly string[]): string {
  return [description.trim() || name, ...notes].join('\n\n');
}

export function foldedNote(combinator: keyof typeof COMBINATORS, alternatives: readonly unknown[]): string {
  return `${COMBINATORS[combinator]}: ${shownSchema(alternatives)}`;
}

export function noteOnType(type: unknown): string[] {
  const mayBeObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return mayBeObject ? [] : [`The input was declared with ${JSON.stringify({ type })}; send an object.`];
}

export function shownSchema(schema: unknown): string {
  return shortened(JSON.stringify(schema), MAX_FOLDED_CHARACTERS);
}

/** Keeps the parameters of the alternatives visible, so that the model can still name them. */
export function adoptProperties(
  root: SchemaObject,
  alternatives: readonly SchemaObject[],
  { areAllNeeded }: { readonly areAllNeeded: boolean },
): void {
  const merged: SchemaObject = {};
  const required = new Set(stringsOf(root.required));
  for (const source of [root, ...alternatives]) {
    for (const [name, property] of Object.entries(isRecord(source.properties) ? source.properties : {})) {
      if (!Object.hasOwn(merged, name)) define(merged, name, property);
    }
    if (areAllNeeded) for (const name of stringsOf(source.required)) required.add(name);
  }
  root.properties = merged;
  root.required = [...required];
  // A root that forbids further properties was written for its own properties, not for the merged ones.
  delete root.additionalProperties;
  delete root.unevaluatedProperties;
}

type Folded = readonly [combinator: keyof typeof COMBINATORS, alternatives: readonly unknown[]];

function withoutCombinators(
  source: SchemaObject,
  folding: Folding,
): { readonly root: SchemaObject; readonly folded: readonly Folded[] } {
  const folded: Folded[] = [];
  const root = withoutReference(source, folding);
  for (const combinator of ['oneOf', 'anyOf', 'allOf'] as const) {
    const alternatives = root[combinator];
    delete root[combinator];
    if (!Array.isArray(alternatives)) continue;
    folded.push([combinator, alternatives]);
    const roots: SchemaObject[] = [];
    for (const alternative of alternatives) {
      if (folding.alternativesLeft <= 0) break;
      if (!isRecord(alternative)) continue;
      folding.alternativesLeft--;
      roots.push(withoutCombinators(alternative, folding).root);
    }
    adoptProperties(root, roots, { areAllNeeded: combinator === 'allOf' });
  }
  return { root, folded };
}

/** Generators put the object behind `{"$ref": "#/$defs/Input"}`; the root itself is then empty. */
function withoutReference(source: SchemaObject, { document, targets }: Folding): SchemaObject {
  let root: SchemaObject = { ...source };
  for (let followed = 0; typeof root.$ref === 'string'; followed++) {
    const { $ref, ...rest } = root;
    const found = followed < MAX_REFERENCES ? atPointer(document, String($ref)) : undefined;
    // A pointer may also lead to something that is not a schema (a map of properties, a default).
    const target = found === document || !isRecord(found) ? undefined : (targets.get(found) ?? validSchema(found));
    const isElsewhere = isRecord(target) && isRecord(found);
    if (isElsewhere) targets.set(found, target);
    root = isElsewhere ? { ...target, ...rest } : rest;
    if (isElsewhere && typeof target.$ref === 'string') root.$ref = target.$ref;
  }
  return root;
}
