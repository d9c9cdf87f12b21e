import { z } from 'zod';
import { type EnteredValue, type FieldRules, fieldProblem } from '../../../src-preload/contract/form.ts';
import { ownRecord } from '../../../src-preload/contract/own-record.ts';
import { ownValue } from '../../base/json.ts';
import { asciiLookOf } from '../../base/look-alikes.ts';
import type { FormField, FormOption } from '../../policy/mcp/form.ts';
import { looksSecret } from '../../secrets/secret-shapes.ts';

/** A form with more fields can't be shown as a whole, and the user sees all of it or none. */
const MAX_FIELDS = 50;
const MAX_OPTIONS = 200;
/** Over all fields: fifty long lists are not a usable form either. */
const MAX_OPTIONS_OF_FORM = 1_000;
const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 1_000;
export const MAX_MESSAGE_LENGTH = 4_000;

/** Words for a secret in running text, where `looksSecret` would match every "key" and "session". */
const SECRET =
  'pass(?:word|phrase|code)|api[ _-]?keys?|(?:access|secret|auth)[ _-]?(?:token|key)s?|private key|client secret|recovery (?:phrase|code)|seed phrase|one[ -]time code|security[ -]code|cvv|cvc';
const SECRET_TEXT = new RegExp(String.raw`\b(?:${SECRET})\b`, 'i');
/** Matches what is called so: `New password (twice)`, and not `API key name`. */
const NAME_OF_SECRET = new RegExp(String.raw`\b(?:${SECRET})(?:\s*\([^)]*\))?[^a-z]*$`);

const name = z.string().max(MAX_NAME_LENGTH);
const common = { title: name.optional(), description: z.string().max(MAX_DESCRIPTION_LENGTH).optional() };
const value = z.string().max(MAX_NAME_LENGTH);
const count = z.number().int().min(0);
const titled = z
  .array(z.object({ const: value, title: name }))
  .min(1)
  .max(MAX_OPTIONS);
const values = z.array(value).min(1).max(MAX_OPTIONS);

const textSchema = z.object({
  ...common,
  type: z.literal('string'),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  // A choice that is too long or empty must not turn into free text.
  enum: z.undefined().optional(),
  oneOf: z.undefined().optional(),
  default: z.unknown().optional(),
});
const numberSchema = z.object({
  ...common,
  type: z.enum(['number', 'integer']),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
});
const booleanSchema = z.object({ ...common, type: z.literal('boolean'), default: z.unknown().optional() });
const enumSchema = z.object({
  ...common,
  type: z.literal('string'),
  enum: values,
  enumNames: z.array(name).optional(),
  default: z.unknown().optional(),
});
const oneOfSchema = z.object({ ...common, type: z.literal('string'), oneOf: titled, default: z.unknown().optional() });
const items = z.union([z.object({ anyOf: titled }), z.object({ type: z.literal('string'), enum: values })]);
const arraySchema = z.object({
  ...common,
  type: z.literal('array'),
  items,
  minItems: count.optional(),
  maxItems: count.optional(),
  default: z.unknown().optional(),
});
/** Fields can't be nested: a form with nested ones is refused. */
const fieldSchema = z.union([enumSchema, oneOfSchema, arraySchema, booleanSchema, textSchema, numberSchema]);
type FieldSchema = z.infer<typeof fieldSchema>;

const formSchema = z.object({
  message: z.string().max(MAX_MESSAGE_LENGTH),
  requestedSchema: z.object({
    type: z.literal('object'),
    properties: ownRecord(z.unknown()),
    required: z.array(z.string()).max(MAX_FIELDS).default([]),
  }),
});

export interface RequestedForm {
  /** The message of the server. */
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** Why a server's request is not shown to the user; the text is for the server's author. */
export class UnusableRequest extends Error {
  override readonly name = 'UnusableRequest';
  /** The code of JSON-RPC for invalid parameters. */
  readonly code = -32_602;
}

/**
 * The form in the parameters of `elicitation/create`. Throws `UnusableRequest` if it is malformed, can't be shown
 * completely, or has a field for a password or key. Source of the latter: https://modelcontextprotocol.io, elicitation,
 * "Security Considerations".
 */
export function requestedForm(params: unknown): RequestedForm {
  const { message, requestedSchema } = parsed(formSchema, params, 'the form');
  // Counted first, so that an oversized form costs nothing.
  const names = Object.keys(requestedSchema.properties);
  if (names.length > MAX_FIELDS)
    throw new UnusableRequest(`the form has ${names.length} fields, the most is ${MAX_FIELDS}`);
  const required = new Set(requestedSchema.required);
  const fields = names.map((each) => {
    if (each.length > MAX_NAME_LENGTH)
      throw new UnusableRequest('a field name of the form is longer than 200 characters');
    const schema = parsed(fieldSchema, ownValue(requestedSchema.properties, each), `the field ${JSON.stringify(each)}`);
    return formField(each, schema, required.has(each), message);
  });
  const options = fields.reduce((sum, field) => sum + field.options.length, 0);
  if (options > MAX_OPTIONS_OF_FORM)
    throw new UnusableRequest(`the form has ${options} choices, the most is ${MAX_OPTIONS_OF_FORM}`);
  return { message, fields };
}

/** Throws `UnusableRequest`. */
export function parsed<T>(schema: z.ZodType<T>, given: unknown, what: string): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  throw new UnusableRequest(`${what} is not supported by Steward${where}: ${issue?.message ?? ''}`);
}

function formField(fieldName: string, schema: FieldSchema, isRequired: boolean, message: string): FormField {
  const { title = fieldName, description = '' } = schema;
  const options = optionsOf(schema);
  const rules = rulesOf(schema, isRequired, options.length);
  const given = schema.default === undefined ? undefined : initialOf(rules, options, schema.default);
  const isTyped = rules.kind === 'text' || rules.kind === 'number';
  if (isTyped && [fieldName, title].some(isNameOfSecret))
    throw new UnusableRequest(
      `the field ${JSON.stringify(fieldName)} asks for a password or key, which a form may not; ask with a URL instead`,
    );
  return {
    name: fieldName,
    title,
    description,
    rules,
    options,
    // A default that the form itself would reject is ignored.
    initial: given ?? emptyOf(rules),
    hasDefault: given !== undefined,
    looksSecret:
      isTyped &&
      (looksSecret(fieldName) || [fieldName, title, description, message].some((text) => SECRET_TEXT.test(text))),
  };
}

function isNameOfSecret(text: string): boolean {
  const seen = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const words = seen.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.]+/g, ' ');
  return NAME_OF_SECRET.test(asciiLookOf(words));
}

function rulesOf(schema: FieldSchema, isRequired: boolean, optionCount: number): FieldRules {
  if (isChoice(schema)) return { kind: 'choice', isRequired, optionCount };
  switch (schema.type) {
    case 'array': {
      const { minItems = null, maxItems = null } = schema;
      return { kind: 'choices', isRequired, optionCount, minItems, maxItems };
    }
    case 'boolean':
      return { kind: 'boolean', isRequired };
    case 'string': {
      const { format = null, minLength = null, maxLength = null } = schema;
      return { kind: 'text', isRequired, format, minLength, maxLength };
    }
    default: {
      const { minimum = null, maximum = null } = schema;
      return { kind: 'number', isRequired, isInteger: schema.type === 'integer', minimum, maximum };
    }
  }
}

function isChoice(schema: FieldSchema): schema is z.infer<typeof enumSchema> | z.infer<typeof oneOfSchema> {
  return ('enum' in schema && schema.enum !== undefined) || ('oneOf' in schema && schema.oneOf !== undefined);
}

/** The options, each value once. */
function optionsOf(schema: FieldSchema): readonly FormOption[] {
  const all = allOptionsOf(schema);
  return all.filter(({ value: each }, index) => all.findIndex((other) => other.value === each) === index);
}

function allOptionsOf(schema: FieldSchema): readonly FormOption[] {
  if (isChoice(schema) && 'enum' in schema)
    return schema.enum.map((each, index) => ({ value: each, title: schema.enumNames?.[index] ?? each }));
  if (isChoice(schema)) return schema.oneOf.map(({ const: each, title }) => ({ value: each, title }));
  if (schema.type !== 'array') return [];
  return 'anyOf' in schema.items
    ? schema.items.anyOf.map(({ const: each, title }) => ({ value: each, title }))
    : schema.items.enum.map((each) => ({ value: each, title: each }));
}

function emptyOf({ kind }: FieldRules): EnteredValue {
  if (kind === 'boolean') return false;
  return kind === 'choice' || kind === 'choices' ? [] : '';
}

/** `undefined` if it has the wrong type or the field would reject it. */
function initialOf(rules: FieldRules, options: readonly FormOption[], given: unknown): EnteredValue | undefined {
  const entered = enteredOf(rules, options, given);
  return entered !== undefined && fieldProblem(rules, entered) === null ? entered : undefined;
}

function enteredOf({ kind }: FieldRules, options: readonly FormOption[], given: unknown): EnteredValue | undefined {
  switch (kind) {
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined;
    case 'number':
      return typeof given === 'number' ? String(given) : undefined;
    case 'text':
      return typeof given === 'string' ? given : undefined;
    case 'choice':
    case 'choices':
      return [given].flat().map((each) => options.findIndex(({ value: offered }) => offered === each));
  }
}
