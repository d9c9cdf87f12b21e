import { isRecord } from '../../base/json.ts';
import { boundWords, defaultWords, formatWords, mapWords, sentences } from './gemini-words.ts';
import { mergedSchema } from './merge.ts';
import { atPointer } from './references.ts';
import { modernised, type SchemaObject, stringsOf } from './valid-json-schema.ts';

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
  /** The service answers `When using any_of, it must be the only field set.` */
  readonly anyOf?: readonly GeminiSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type GeminiType = NonNullable<GeminiSchema['type']>;

/** The references that were followed to reach a node, to detect cycles. */
export class Followed {
  readonly #before: Followed | undefined;
  readonly #own = new Set<string>();

  constructor(before?: Followed) {
    this.#before = before;
  }

  has(reference: string): boolean {
    return this.#own.has(reference) || this.#before?.has(reference) === true;
  }

  add(reference: string): void {
    this.#own.add(reference);
  }
}

const TYPES: readonly GeminiType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const MAX_DEPTH = 24;
/** References are inlined, and a schema that refers to itself twice would double with every level. */
const MAX_NODES = 4_000;
const MAX_ALTERNATIVES = 50;
/**
 * The most members of schemas that are merged with others: the same large schema may be referred to from everywhere.
 */
const MAX_MERGED = 50_000;
/** Limit for names, descriptions and listed values, for the same reason. */
const MAX_CHARACTERS = 1_000_000;
/** What a schema without a type allows. */
const ANY_VALUE: readonly SchemaObject[] = ['string', 'number', 'boolean', 'object', 'array'].map((type) => ({ type }));

/** Rebuilds schemas from one document, using only what Gemini accepts. It is total: any JSON value gives a schema. */
export class GeminiCleaner {
  readonly #document: unknown;
  #nodesLeft = MAX_NODES;
  #membersLeft = MAX_MERGED;
  #charactersLeft = MAX_CHARACTERS;

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Returns the node without `$ref` and `allOf`. */
  flatten(source: unknown, before: Followed | undefined): { readonly node: SchemaObject; readonly refs: Followed } {
    const refs = new Followed(before);
    const parts: SchemaObject[] = [];
    const open = [source];
    while (open.length > 0 && (this.#nodesLeft > 0 || parts.length === 0)) {
      const next = open.pop();
      this.#nodesLeft--;
      const { $ref, allOf, ...part } = keywordsOf(next);
      parts.push(part);
      const further = Array.isArray(allOf) ? allOf.slice(0, Math.max(0, this.#nodesLeft)) : [];
      if (typeof $ref === 'string') {
        const target = this.#nodesLeft > 0 && !refs.has($ref) ? atPointer(this.#document, $ref) : undefined;
        refs.add($ref);
        if (isRecord(target)) further.unshift(target);
        else if (target !== true) parts.push({ type: 'object' });
      }
      open.push(...further.reverse());
    }
    return { node: this.#merged(parts), refs };
  }

  #merged(parts: readonly SchemaObject[]): SchemaObject {
    if (parts.length < 2 || this.#membersLeft <= 0) return { ...parts[0] };
    return mergedSchema(parts.filter((part) => this.#membersLeft > 0 && this.#affords(mergedMembers(part))));
  }

  #affords(members: number): boolean {
    if (this.#membersLeft <= 0) return false;
    this.#membersLeft -= members;
    return true;
  }

  #affordsText(text: string): boolean {
    if (this.#charactersLeft <= 0) return false;
    this.#charactersLeft -= text.length;
    return true;
  }

  #described(...texts: readonly (string | undefined)[]): { readonly description?: string } {
    const description = sentences(...texts);
    return description === undefined || !this.#affordsText(description) ? {} : { description };
  }

  clean(source: unknown, refs: Followed, depth: number): GeminiSchema {
    return this.#cleanUnlessNull(source, refs, depth) ?? { type: 'string', nullable: true };
  }

  /** Returns the node as this type, ignoring alternatives and the types that it declares. */
  ofType(type: GeminiType, node: SchemaObject, refs: Followed, depth: number): GeminiSchema {
    const said = stated(node.description);
    const ofText = type === 'string' ? formatWords(node) : [];
    const ofMap = type === 'object' ? mapWords(node, (schema) => this.flatten(schema, refs).node) : [];
    const words = [...boundWords(node), ...ofText, ...ofMap, defaultWords(node, said)];
    const common = { type, ...this.#described(said, ...words) };
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

  /** Returns `undefined` if only null is valid. */
  #cleanUnlessNull(source: unknown, refs: Followed, depth: number): GeminiSchema | undefined {
    if (depth > MAX_DEPTH || this.#nodesLeft <= 0) return { type: 'object' };
    const { node, refs: followed } = this.flatten(source, refs);
    const alternatives = alternativesOf(node);
    if (alternatives !== undefined) return this.#union(node, alternatives, followed, depth);

    const listed = listedValues(node);
    const declared = declaredTypes(node);
    const types = TYPES.filter((type) => declared.includes(type));
    const allowsNull = node.nullable === true || declared.includes('null') || listed?.includes(null) === true;
    const nullable = allowsNull ? { nullable: true as const } : {};
    if (listed !== undefined) {
      if (allowsNull && listed.every((value) => value === null)) return undefined;
      const values = this.#texts(listed);
      const isFormat = node.format === 'enum' ? { format: 'enum' as const } : {};
      const listing = values.length === 0 ? {} : { ...isFormat, enum: values };
      const { description, default: byDefault } = node;
      const plain = byDefault === undefined ? { description } : { description, default: byDefault };
      return { ...this.ofType('string', plain, followed, depth), ...nullable, ...listing };
    }
    if (types.length === 0 && declared.includes('null')) return undefined;
    const [type = impliedType(node), ...otherTypes] = types;
    if (type !== undefined && otherTypes.length === 0)
      return { ...this.ofType(type, node, followed, depth), ...nullable };
    const alternativeTypes = type === undefined ? ANY_VALUE : types.map((each) => ({ type: each }));
    return this.#union({ ...node, nullable: allowsNull }, alternativeTypes, followed, depth);
  }

  #texts(listed: readonly unknown[]): readonly string[] {
    const texts = new Set<string>();
    for (const value of listed) {
      if (value === null) continue;
      const text = asText(value);
      if (!this.#affordsText(text)) break;
      // An empty text is rejected in a list: `enum[1]: cannot be empty`.
      if (text !== '') texts.add(text);
    }
    return [...texts];
  }

  /** Alternatives must be the only field, so each one gets the conditions that all of them share. */
  #union(node: SchemaObject, alternatives: readonly unknown[], refs: Followed, depth: number): GeminiSchema {
    const { anyOf: _anyOf, oneOf: _oneOf, description, default: byDefault, ...shared } = node;
    let allowsNull = node.nullable === true;
    const branches: GeminiSchema[] = [];
    for (const alternative of alternatives.slice(0, MAX_ALTERNATIVES)) {
      if (alternative === false || this.#nodesLeft <= 0) continue;
      const { node: branch, refs: followed } = this.flatten(alternative, refs);
      // The alternative's own type is the narrower one, even if the two contradict each other.
      const cleaned = this.#cleanUnlessNull(this.#merged([branch, shared]), followed, depth + 1);
      if (cleaned === undefined) allowsNull = true;
      else branches.push(...(cleaned.anyOf ?? [cleaned]));
    }
    const distinct = withoutRepetition(branches);
    const nullable = allowsNull ? { nullable: true as const } : {};
    const said = stated(description);
    const ofAll = byDefault === undefined ? undefined : defaultWords({ default: byDefault }, said);
    const described = (branch: GeminiSchema, index: number): GeminiSchema => {
      // The first alternative says it for all.
      const words = index === 0 ? ofAll : undefined;
      return { ...branch, ...this.#described(said, branch.description, words), ...nullable };
    };
    const [first, ...others] = distinct;
    if (first === undefined) return described({ type: 'string', ...nullable }, 0);
    return others.length === 0 ? described(first, 0) : { anyOf: distinct.map(described) };
  }

  #members(node: SchemaObject, refs: Followed, depth: number): Pick<GeminiSchema, 'properties' | 'required'> {
    const found = new Map<string, GeminiSchema>();
    for (const [name, property] of Object.entries(isRecord(node.properties) ? node.properties : {})) {
      if (this.#nodesLeft <= 0 || !this.#affordsText(name)) break;
      if (property === false || name === '') this.#nodesLeft--;
      else found.set(name, this.clean(property, refs, depth + 1));
    }
    if (found.size === 0) return {};
    const names = Array.isArray(node.required) && this.#affords(node.required.length) ? stringsOf(node.required) : [];
    const required = [...new Set(names)].filter((name) => found.has(name));
    return { properties: Object.fromEntries(found), ...(required.length === 0 ? {} : { required }) };
  }

  #items(node: SchemaObject, refs: Followed, depth: number): GeminiSchema {
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
  return typeof type === 'string' ? [type] : stringsOf(Array.isArray(type) ? type.slice(0, MAX_ALTERNATIVES) : type);
}

function listedValues(node: SchemaObject): readonly unknown[] | undefined {
  if (Object.hasOwn(node, 'const') && node.const !== undefined) return [node.const];
  return Array.isArray(node.enum) && node.enum.length > 0 ? node.enum : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the type implied by the keywords of a schema without one, or `undefined` if any type is allowed. */
function impliedType(node: SchemaObject): GeminiType | undefined {
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => node[keyword] !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'contains')) return 'array';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return has('pattern', 'format', 'minLength', 'maxLength') ? 'string' : undefined;
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

function stated(description: unknown): string | undefined {
  return typeof description === 'string' ? description : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Alternatives with lists of texts become one list: `{"const":"a"}` or `{"const":"b"}` is `a` or `b`. */
function withoutRepetition(branches: readonly GeminiSchema[]): readonly GeminiSchema[] {
  const lists = branches.filter((branch) => branch.enum !== undefined);
  const [first, ...others] = lists;
  const merged = first === undefined || others.length === 0 ? undefined : mergedLists(first, lists);
  const kept = branches.flatMap((branch) => {
    if (merged === undefined || branch.enum === undefined) return [branch];
    return branch === first ? [merged] : [];
  });
  return [...new Map(kept.map((branch) => [JSON.stringify(branch), branch])).values()];
}

function mergedLists(first: GeminiSchema, lists: readonly GeminiSchema[]): GeminiSchema {
  const description = sentences(...lists.map((list) => list.description));
  return {
    ...first,
    enum: [...new Set(lists.flatMap((list) => list.enum ?? []))],
    ...(lists.some(({ nullable }) => nullable === true) ? { nullable: true } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

/** The keywords that are read of a schema. A schema may have thousands of others. */
const KEYWORDS = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'type',
  'nullable',
  'enum',
  'const',
  'format',
  'description',
  'default',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'items',
  'prefixItems',
  'contains',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
];

function keywordsOf(source: unknown): SchemaObject {
  if (!isRecord(source)) return {};
  const own = KEYWORDS.filter((keyword) => Object.hasOwn(source, keyword));
  return modernised(Object.fromEntries(own.map((keyword) => [keyword, source[keyword]])));
}

/** Counts the members of the keywords whose merging goes through all of them. */
function mergedMembers({ properties, required, type, enum: listed }: SchemaObject): number {
  const lists = [required, type, listed].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    1,
  );
  return lists + (isRecord(properties) ? Object.keys(properties).length : 0);
}
