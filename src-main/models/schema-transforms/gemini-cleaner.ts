import { isRecord } from '../../base/json.ts';
import { firstCharacters } from '../../base/text.ts';
import { mergeInto } from './merge.ts';
import { atPointer } from './references.ts';
import { define, modernised, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/** The part of an OpenAPI 3.0 schema that Gemini's function declarations accept. */
export interface GeminiSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly nullable?: true;
  readonly format?: 'enum' | 'date-time';
  readonly enum?: readonly string[];
  readonly items?: GeminiSchema;
  readonly properties?: Readonly<Record<string, GeminiSchema>>;
  readonly required?: readonly string[];
  /** `When using any_of, it must be the only field set.` */
  readonly anyOf?: readonly GeminiSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type GeminiType = NonNullable<GeminiSchema['type']>;
type References = ReadonlySet<string>;

const TYPES: readonly GeminiType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const MAX_DEPTH = 24;
/** References are inlined, and a schema that refers to itself twice would double with every level. */
const MAX_NODES = 4_000;
const MAX_ALTERNATIVES = 50;
const LONGEST_DESCRIPTION = 4_000;

/** Rebuilds schemas from one document, using only what Gemini accepts. Total: any JSON value gives a schema. */
export class GeminiCleaner {
  readonly #document: unknown;
  #nodesLeft = MAX_NODES;

  constructor(document: unknown) {
    this.#document = document;
  }

  /** The node without `$ref` and `allOf`; `refs`: the references followed to reach it, to detect cycles. */
  flatten(source: unknown, refs: References): { readonly node: SchemaObject; readonly refs: References } {
    this.#nodesLeft--;
    if (!isRecord(source)) return { node: {}, refs };
    const { $ref, allOf, ...node }: SchemaObject = modernised(source);
    const followed = new Set(refs);
    const add = (part: unknown) => {
      const inner = this.flatten(part, followed);
      for (const each of inner.refs) followed.add(each);
      mergeInto(node, inner.node);
    };
    if (typeof $ref === 'string') {
      const target = this.#nodesLeft > 0 && !refs.has($ref) ? atPointer(this.#document, $ref) : undefined;
      followed.add($ref);
      if (isRecord(target)) add(target);
      else if (target !== true) mergeInto(node, { type: 'object' });
    }
    if (Array.isArray(allOf)) for (const part of allOf) if (this.#nodesLeft > 0) add(part);
    return { node, refs: followed };
  }

  clean(source: unknown, refs: References, depth: number): GeminiSchema {
    return this.#cleanUnlessNull(source, refs, depth) ?? { type: 'string', nullable: true };
  }

  /** The node as this type, ignoring alternatives and the types that it declares. */
  ofType(type: GeminiType, node: SchemaObject, refs: References, depth: number): GeminiSchema {
    const description = describedWithBounds(node);
    const common = { type, ...(description === undefined ? {} : { description }) };
    switch (type) {
      case 'object':
        return { ...common, ...this.#members(node, refs, depth) };
      case 'array':
        return { ...common, items: this.#items(node, refs, depth), ...counts(node) };
      case 'number':
      case 'integer':
        return { ...common, ...range(node) };
      case 'string':
        return node.format === 'date-time' ? { ...common, format: 'date-time' } : common;
      case 'boolean':
        return common;
    }
  }

  /** `undefined`: only null is valid. */
  #cleanUnlessNull(source: unknown, refs: References, depth: number): GeminiSchema | undefined {
    if (depth > MAX_DEPTH || this.#nodesLeft <= 0) return { type: 'object' };
    const { node, refs: followed } = this.flatten(source, refs);
    const alternatives = alternativesOf(node);
    if (alternatives !== undefined) return this.#union(node, alternatives, followed, depth);

    const listed = listedValues(node);
    const declared = declaredTypes(node);
    const types = TYPES.filter((type) => declared.includes(type));
    const allowsNull = node.nullable === true || declared.includes('null') || listed?.includes(null) === true;
    const nullable = allowsNull ? { nullable: true as const } : {};
    const texts = listed?.filter((value) => value !== null).map(asText);
    if (texts !== undefined) {
      // An empty text is rejected in a list: `enum[1]: cannot be empty`.
      const values = [...new Set(texts)].filter((text) => text !== '');
      if (texts.length === 0 && allowsNull) return undefined;
      const isFormat = node.format === 'enum' ? { format: 'enum' as const } : {};
      const listing = values.length === 0 ? {} : { ...isFormat, enum: values };
      return { ...this.ofType('string', { description: node.description }, followed, depth), ...nullable, ...listing };
    }
    if (types.length === 0 && declared.includes('null')) return undefined;
    if (types.length > 1)
      return this.#union(
        { ...node, nullable: allowsNull },
        types.map((type) => ({ type })),
        followed,
        depth,
      );
    return { ...this.ofType(types[0] ?? impliedType(node), node, followed, depth), ...nullable };
  }

  /** Alternatives must be the only field, so each one gets the conditions that all of them share. */
  #union(node: SchemaObject, alternatives: readonly unknown[], refs: References, depth: number): GeminiSchema {
    const { anyOf: _anyOf, oneOf: _oneOf, description, ...shared } = node;
    const own = typeof description === 'string' ? description : undefined;
    let allowsNull = node.nullable === true;
    const branches: GeminiSchema[] = [];
    for (const alternative of alternatives.slice(0, MAX_ALTERNATIVES)) {
      if (alternative === false || this.#nodesLeft <= 0) continue;
      const { node: branch, refs: followed } = this.flatten(alternative, refs);
      // The alternative's own type is the narrower one, even if the two contradict each other.
      mergeInto(branch, shared);
      const cleaned = this.#cleanUnlessNull(branch, followed, depth + 1);
      if (cleaned === undefined) allowsNull = true;
      else branches.push(...(cleaned.anyOf ?? [cleaned]));
    }
    const distinct = withoutRepetition(branches);
    const nullable = allowsNull ? { nullable: true as const } : {};
    const described = (branch: GeminiSchema): GeminiSchema => {
      const text = joined(own, branch.description);
      return { ...branch, ...(text === undefined ? {} : { description: text }), ...nullable };
    };
    const [first, ...others] = distinct;
    if (first === undefined) return described({ type: 'string', ...nullable });
    return others.length === 0 ? described(first) : { anyOf: distinct.map(described) };
  }

  #members(node: SchemaObject, refs: References, depth: number): Pick<GeminiSchema, 'properties' | 'required'> {
    const properties: Record<string, GeminiSchema> = {};
    for (const [name, property] of Object.entries(isRecord(node.properties) ? node.properties : {})) {
      if (property === false || name === '' || this.#nodesLeft <= 0) continue;
      define(properties, name, this.clean(property, refs, depth + 1));
    }
    if (Object.keys(properties).length === 0) return {};
    const required = [...new Set(stringsOf(node.required))].filter((name) => Object.hasOwn(properties, name));
    return { properties, ...(required.length === 0 ? {} : { required }) };
  }

  #items(node: SchemaObject, refs: References, depth: number): GeminiSchema {
    const { items, prefixItems } = node;
    const schemas = [...(Array.isArray(prefixItems) ? prefixItems : []), ...(isRecord(items) ? [items] : [])];
    if (schemas.length === 0) return { type: 'string' };
    return this.clean(schemas.length === 1 ? schemas[0] : { anyOf: schemas }, refs, depth + 1);
  }
}

function alternativesOf({ anyOf, oneOf }: SchemaObject): readonly unknown[] | undefined {
  if (Array.isArray(anyOf) && anyOf.length > 0) return anyOf;
  return Array.isArray(oneOf) && oneOf.length > 0 ? oneOf : undefined;
}

function declaredTypes({ type }: SchemaObject): readonly string[] {
  return typeof type === 'string' ? [type] : stringsOf(type);
}

function listedValues(node: SchemaObject): readonly unknown[] | undefined {
  if (Object.hasOwn(node, 'const') && node.const !== undefined) return [node.const];
  return Array.isArray(node.enum) && node.enum.length > 0 ? node.enum : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The type implied by the keywords of a schema without one. */
function impliedType(node: SchemaObject): GeminiType {
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => node[keyword] !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'contains')) return 'array';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return 'string';
}

function range({ minimum, maximum }: SchemaObject): Pick<GeminiSchema, 'minimum' | 'maximum'> {
  return {
    ...(isNumber(minimum) ? { minimum } : {}),
    ...(isNumber(maximum) ? { maximum } : {}),
  };
}

function counts({ minItems, maxItems }: SchemaObject): Pick<GeminiSchema, 'minItems' | 'maxItems'> {
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  return { ...(isCount(minItems) ? { minItems } : {}), ...(isCount(maxItems) ? { maxItems } : {}) };
}

const BOUNDS = [
  ['exclusiveMinimum', (n: number) => `Must be greater than ${n}.`],
  ['exclusiveMaximum', (n: number) => `Must be less than ${n}.`],
  ['multipleOf', (n: number) => `Must be a multiple of ${n}.`],
  ['minLength', (n: number) => `At least ${n} characters.`],
  ['maxLength', (n: number) => `At most ${n} characters.`],
] as const;

/** The service has no keywords for these bounds; the description states them. */
function describedWithBounds(node: SchemaObject): string | undefined {
  const bounds = BOUNDS.flatMap(([keyword, words]) => {
    const bound = node[keyword];
    return isNumber(bound) ? [words(bound)] : [];
  });
  return joined(typeof node.description === 'string' ? node.description : undefined, bounds.join(' '));
}

function joined(first: string | undefined, second: string | undefined): string | undefined {
  const parts = [...new Set([first, second])].filter((part) => part !== undefined && part.trim() !== '');
  return parts.length === 0 ? undefined : firstCharacters(parts.join(' '), LONGEST_DESCRIPTION);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Alternatives with lists of texts become one list: `{"const":"a"}` or `{"const":"b"}` is `a` or `b`. */
function withoutRepetition(branches: readonly GeminiSchema[]): readonly GeminiSchema[] {
  const lists = branches.filter((branch) => branch.enum !== undefined);
  const [first, ...others] = lists;
  const isMerged = first !== undefined && others.length > 0;
  const merged = isMerged ? lists.reduce(mergedLists) : undefined;
  const kept = branches.flatMap((branch) => {
    if (merged === undefined || branch.enum === undefined) return [branch];
    return branch === first ? [merged] : [];
  });
  return [...new Map(kept.map((branch) => [JSON.stringify(branch), branch])).values()];
}

function mergedLists(one: GeminiSchema, other: GeminiSchema): GeminiSchema {
  const description = joined(one.description, other.description);
  const isNullable = one.nullable === true || other.nullable === true;
  return {
    ...one,
    enum: [...new Set([...(one.enum ?? []), ...(other.enum ?? [])])],
    ...(isNullable ? { nullable: true } : {}),
    ...(description === undefined ? {} : { description }),
  };
}
