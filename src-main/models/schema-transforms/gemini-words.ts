import { isRecord } from '../../base/json.ts';
import { firstCharacters, shortened } from '../../base/text.ts';
import type { SchemaObject } from './valid-json-schema.ts';

/** This file puts what Gemini has no keywords for into sentences for the description. Source: tool catalogue A.10. */

const MAX_DESCRIPTION_LENGTH = 4_000;
const MAX_VALUE_LENGTH = 300;
const MAX_SCHEMA_LENGTH = 1_000;
/** A server may list thousands of patterns. */
const MAX_PATTERNS = 10;

const BOUNDS = [
  ['exclusiveMinimum', (n: number) => `Must be greater than ${n}.`],
  ['exclusiveMaximum', (n: number) => `Must be less than ${n}.`],
  ['multipleOf', (n: number) => `Must be a multiple of ${n}.`],
  ['minLength', (n: number) => `At least ${n} characters.`],
  ['maxLength', (n: number) => `At most ${n} characters.`],
] as const;

export function boundWords(node: SchemaObject): readonly string[] {
  return BOUNDS.flatMap(([keyword, words]) => {
    const bound = node[keyword];
    return typeof bound === 'number' && Number.isFinite(bound) ? [words(bound)] : [];
  });
}

/** States the default value. `said` is the description; many state it there already. */
export function defaultWords(node: SchemaObject, said: string | undefined): string | undefined {
  if (node.default === undefined) return undefined;
  const value = shortened(JSON.stringify(node.default), MAX_VALUE_LENGTH);
  const plain = typeof node.default === 'string' ? node.default : value;
  const isSaid = said !== undefined && /default/i.test(said) && plain !== '' && said.includes(plain);
  return isSaid ? undefined : `Default: ${value}.`;
}

export function formatWords({ format, pattern }: SchemaObject): readonly string[] {
  const isOwnKeyword = format === 'date-time' || format === 'enum';
  return [
    ...(typeof format === 'string' && !isOwnKeyword ? [`Format: ${shortened(format, MAX_VALUE_LENGTH)}.`] : []),
    ...(typeof pattern === 'string'
      ? [`Must match the regular expression "${shortened(pattern, MAX_VALUE_LENGTH)}".`]
      : []),
  ];
}

/** `flat` is a schema without its references. */
export function mapWords(
  { additionalProperties, patternProperties }: SchemaObject,
  flat: (schema: unknown) => SchemaObject,
): readonly string[] {
  const patterns = isRecord(patternProperties) ? Object.entries(patternProperties).slice(0, MAX_PATTERNS) : [];
  return [
    ...patterns.map(
      ([pattern, schema]) =>
        `Names that match "${shortened(pattern, MAX_VALUE_LENGTH)}" may be used: ${valueWords(flat(schema))}`,
    ),
    ...(isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? [`Any other names may be used: ${valueWords(flat(additionalProperties))}`]
      : []),
  ];
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
]);

function valueWords(schema: SchemaObject): string {
  const simple = TYPES.get(schema.type);
  const { description, type, ...rest } = Object.fromEntries(
    Object.entries(schema).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(rest).length > 0 || (simple === undefined && type !== undefined))
    return `each value fits this JSON Schema: ${shortened(JSON.stringify(schema), MAX_SCHEMA_LENGTH)}`;
  const what = `each value is ${simple ?? 'of any type'}`;
  return typeof description === 'string' ? `${what}, ${shortened(description, MAX_VALUE_LENGTH)}` : `${what}.`;
}

/** Joins texts, each once, with a full stop between two of them. */
export function sentences(...texts: readonly (string | undefined)[]): string | undefined {
  const parts = [...new Set(texts)].filter((part) => part !== undefined && part.trim() !== '');
  if (parts.length === 0) return undefined;
  const ended = parts.map((part, index) =>
    index === parts.length - 1 || /[.!?:;…。]\s*$/.test(String(part)) ? part : `${String(part).trimEnd()}.`,
  );
  return firstCharacters(ended.join(' '), MAX_DESCRIPTION_LENGTH);
}
