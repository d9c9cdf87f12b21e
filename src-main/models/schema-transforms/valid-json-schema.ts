import { isRecord } from '../../base/json.ts';
/**
 * Turns any JSON value into a JSON Schema that the draft 2020-12 meta-schema accepts. Tools of MCP servers and clients
 * have older drafts and plain mistakes (`required: true`, tuple `items`, `exclusiveMinimum: true`), and a model service
 * that validates schemas rejects the whole request because of one of them. What can't be interpreted is dropped: a
 * missing constraint costs a tool error, a rejected request costs the turn.
 */

export type SchemaObject = Record<string, unknown>;

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const MAX_DEPTH = 60;

type Repair = (value: unknown, depth: number) => unknown;

const schema: Repair = (value, depth) => validSchema(value, depth + 1);
const schemaIfAny: Repair = (value, depth) =>
  isRecord(value) || typeof value === 'boolean' ? schema(value, depth) : undefined;
const schemaList: Repair = (value, depth) =>
  Array.isArray(value) && value.length > 0 ? value.map((item) => schema(item, depth)) : undefined;
const schemaMap: Repair = (value, depth) =>
  isRecord(value) ? mapValues(value, (member) => schema(member, depth)) : undefined;
const number: Repair = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const count: Repair = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const string: Repair = (value) => (typeof value === 'string' ? value : undefined);
const boolean: Repair = (value) => (typeof value === 'boolean' ? value : undefined);
const names: Repair = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((item): item is string => typeof item === 'string'))] : undefined;

/** Keywords that hold a map of schemas, one schema, or a list of schemas. */
const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SINGLE_SCHEMAS = [
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
const LISTS_OF_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

const REPAIRS = new Map<string, Repair>([
  ...MAPS_OF_SCHEMAS.map(withRepair(schemaMap)),
  ...SINGLE_SCHEMAS.map(withRepair(schemaIfAny)),
  ...LISTS_OF_SCHEMAS.map(withRepair(schemaList)),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(withRepair(number)),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(withRepair(count)),
  ...['minContains', 'maxContains'].map(withRepair(count)),
  ...['title', 'description', 'format', '$comment', 'contentEncoding', 'contentMediaType'].map(withRepair(string)),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map(withRepair(boolean)),
  ['examples', (value) => (Array.isArray(value) ? value : undefined)],
  // Older meta-schemas reject an empty one, and no input would match it.
  ['enum', (value) => (Array.isArray(value) && value.length > 0 ? value : undefined)],
  ['required', names],
  ['type', (value) => validType(value)],
  ['pattern', (value) => (typeof value === 'string' && isRegularExpression(value) ? value : undefined)],
  ['multipleOf', (value) => (typeof value === 'number' && value > 0 ? number(value, 0) : undefined)],
  ['$ref', (value) => (typeof value === 'string' && value.startsWith('#') ? value : undefined)],
]);

/** Only resolvers read these; an unknown dialect or base address only gets the schema rejected. */
const DROPPED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'dependencies',
  'dependentRequired',
  'additionalItems',
]);

export function validSchema(source: unknown, depth = 0): SchemaObject | boolean {
  if (typeof source === 'boolean') return source;
  if (!isRecord(source) || depth > MAX_DEPTH) return {};
  const modern = modernised(source);
  const repaired: SchemaObject = {};
  for (const [keyword, value] of Object.entries(modern)) {
    if (DROPPED.has(keyword)) continue;
    const repair = REPAIRS.get(keyword);
    const kept = repair ? repair(value, depth) : value;
    if (kept !== undefined) define(repaired, keyword, kept);
  }
  return repaired;
}

/**
 * Returns a copy of a valid schema with `map` applied to its direct subschemas. If `map` returns `undefined`, the
 * subschema is removed.
 */
export function mapSubschemas(node: SchemaObject, map: (subschema: unknown, keyword: string) => unknown): SchemaObject {
  const mapped: SchemaObject = {};
  for (const [keyword, value] of Object.entries(node)) {
    let kept: unknown = value;
    if (MAPS_OF_SCHEMAS.includes(keyword) && isRecord(value)) kept = mapValues(value, (each) => map(each, keyword));
    else if (SINGLE_SCHEMAS.includes(keyword)) kept = map(value, keyword);
    else if (LISTS_OF_SCHEMAS.includes(keyword) && Array.isArray(value))
      kept = value.map((each) => map(each, keyword)).filter((each) => each !== undefined);
    if (kept !== undefined) define(mapped, keyword, kept);
  }
  return mapped;
}

/** Converts drafts 3 to 7 to 2020-12, for the keywords whose meaning changed. */
export function modernised(source: SchemaObject): SchemaObject {
  const { items, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = source;
  const modern: SchemaObject = { ...rest };
  if (Array.isArray(items)) modern.prefixItems = items;
  else if (items !== undefined) modern.items = items;
  if (exclusiveMinimum === true) modern.exclusiveMinimum = minimum;
  else Object.assign(modern, { minimum, exclusiveMinimum });
  if (exclusiveMaximum === true) modern.exclusiveMaximum = maximum;
  else Object.assign(modern, { maximum, exclusiveMaximum });
  return modern;
}

function validType(value: unknown): unknown {
  if (typeof value === 'string') return TYPES.has(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const types = [...new Set(value.filter((item): item is string => typeof item === 'string' && TYPES.has(item)))];
  return types.length > 0 ? types : undefined;
}

function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function withRepair(repair: Repair): (keyword: string) => [string, Repair] {
  return (keyword) => [keyword, repair];
}

function mapValues(source: SchemaObject, map: (value: unknown) => unknown): SchemaObject {
  const mapped: SchemaObject = {};
  for (const [key, value] of Object.entries(source)) {
    const made = map(value);
    if (made !== undefined) define(mapped, key, made);
  }
  return mapped;
}

/** Plain assignment would lose a member called `__proto__`. */
export function define(target: SchemaObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
