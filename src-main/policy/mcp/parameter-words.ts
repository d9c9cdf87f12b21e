import { isRecord, ownValue } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';

/** A parameter of a tool as people read it. All of its texts are the server's. */
export interface ParameterInWords {
  readonly name: string;
  /** The type in words: `text`, `list of text`, `one of "a", "b"`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  null: 'nothing',
  object: 'group of values',
  array: 'list',
};
const ANY = 'anything';
const MAX_CHOICES = 6;
const MAX_ALTERNATIVES = 4;
const MAX_TYPE_LENGTH = 120;
const MAX_DEPTH = 3;

/** The parameters that a JSON Schema names, in its order. A hostile schema is only described less well. */
export function parametersInWords(schema: unknown): readonly ParameterInWords[] {
  const properties = isRecord(schema) ? ownValue(schema, 'properties') : undefined;
  if (!isRecord(properties)) return [];
  const listed = isRecord(schema) ? ownValue(schema, 'required') : undefined;
  const required = new Set(Array.isArray(listed) ? listed : []);
  return Object.entries(properties).map(([name, member]) => {
    const description = isRecord(member) ? ownValue(member, 'description') : undefined;
    return {
      name,
      type: shortened(typeInWords(member, 0), MAX_TYPE_LENGTH),
      isRequired: required.has(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}

function typeInWords(schema: unknown, depth: number): string {
  if (!isRecord(schema) || depth > MAX_DEPTH) return ANY;
  const { type, items } = schema;
  const choices = ownValue(schema, 'enum');
  if (Array.isArray(choices)) return oneOf(choices);
  if ('const' in schema) return oneOf([schema.const]);
  const alternatives =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(type) ? type.map((each) => ({ type: each })) : null);
  if (Array.isArray(alternatives)) {
    const words = alternatives.slice(0, MAX_ALTERNATIVES).map((each) => typeInWords(each, depth + 1));
    const more = alternatives.length > MAX_ALTERNATIVES ? ['…'] : [];
    return [...new Set(words), ...more].join(' or ');
  }
  if (type === 'array') return isRecord(items) ? `list of ${typeInWords(items, depth + 1)}` : 'list';
  return typeof type === 'string' ? (ownText(type) ?? ANY) : ANY;
}

function ownText(type: string): string | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
}

function oneOf(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MAX_CHOICES).map((each) => JSON.stringify(each) ?? '');
  return `one of ${[...shown, ...(choices.length > MAX_CHOICES ? ['…'] : [])].join(', ')}`;
}
