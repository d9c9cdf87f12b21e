import { checkBoundedValue, parseBoundedInput } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import type { Tool, ToolInput } from '../contract.ts';
import { tooLongArgument } from './argument-lengths.ts';
import { allowsNull, coerce, defaultOf, SchemaDocument } from './coercion.ts';
import { type Misfit, misfitText } from './misfit.ts';
import { requiredIn } from './schema-reading.ts';
import { WrittenValue } from './written-value.ts';

export type InputRules = Pick<
  Tool,
  | 'inputSchema'
  | 'parameterAliases'
  | 'errorPrefix'
  | 'emptyAllowed'
  | 'requiredTexts'
  | 'strictParameters'
  | 'longest'
  | 'refusesUnknown'
  | 'isForwarded'
>;

export type Validation =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  /** `text` is the call's whole result. */
  | { readonly ok: false; readonly text: string };

/**
 * Converts a model's input to what a tool accepts, or returns a text that the model can act on. Works on JSON Schema,
 * so that it serves every kind of tool. Pure: the input is never changed.
 */
export function validateInput(rules: InputRules, input: unknown): Validation {
  const given = asObject(input);
  if (typeof given === 'string') return { ok: false, text: `Error: Invalid JSON parameters: ${given}` };
  if (rules.isForwarded === true) return validateForwarded(rules, given);
  const tooLong = tooLongArgument(rules, given);
  return tooLong === undefined ? validateOwn(rules, given) : { ok: false, text: `${rules.errorPrefix}${tooLong}` };
}

/** Checks the input of somebody else's server or program, which is sent what the model wrote. */
function validateForwarded({ inputSchema, errorPrefix }: InputRules, given: ToolInput): Validation {
  const fitted = new WrittenValue({ ...inputSchema, type: 'object' }).fit(given);
  if (!fitted.ok) return { ok: false, text: `${errorPrefix}${misfitText(fitted.misfit)}` };
  return { ok: true, input: isRecord(fitted.value) ? fitted.value : given };
}

/**
 * Checks run in the order of tool catalogue A.6, except that an invalid enum value is reported before missing
 * parameters, as in the example of `http_request` in B.3.
 */
function validateOwn(rules: InputRules, given: ToolInput): Validation {
  const { inputSchema: schema, errorPrefix } = rules;
  const document = new SchemaDocument(schema);
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = requiredIn(schema);
  const strict = rules.strictParameters ?? [];
  const isMissing = (name: string, value: unknown) =>
    value === undefined ||
    (value === null && !(required.includes(name) && allowsNull(ownValue(properties, name), document))) ||
    (value === '' && !rules.emptyAllowed.includes(name));

  const values = foldAliases(given, rules.parameterAliases, isMissing);

  for (const name of required) {
    if (!isMissing(name, values.get(name))) continue;
    const unlisted = firstUnlisted(properties, values, document);
    if (unlisted !== undefined) return { ok: false, text: `${errorPrefix}${unlisted}` };
    const text = ownValue(rules.requiredTexts, name) ?? `${errorPrefix}${name} is required`;
    return { ok: false, text: String(text) };
  }

  const unknown = rules.refusesUnknown === true ? firstUnknown(properties, values) : undefined;
  if (unknown !== undefined) return { ok: false, text: `${errorPrefix}${misfitText(unknown)}` };

  const entries: [string, unknown][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const value = values.get(name);
    if (!isMissing(name, value)) {
      const coerced = coerce(property, value, name, document);
      if (coerced.ok) {
        entries.push([name, coerced.value]);
        continue;
      }
      const isFatal = coerced.problem.kind !== 'type' || required.includes(name) || strict.includes(name);
      if (isFatal) return { ok: false, text: `${errorPrefix}${coerced.problem.text}` };
    }
    const byDefault = defaultOf(property, document);
    if (byDefault !== undefined) entries.push([name, byDefault]);
  }
  if (schema.additionalProperties === true || isRecord(schema.additionalProperties)) {
    for (const [name, value] of values) if (!Object.hasOwn(properties, name)) entries.push([name, value]);
  }
  // Object.fromEntries defines own properties, so that a parameter called __proto__ stays a parameter.
  return { ok: true, input: Object.fromEntries(entries) };
}

function firstUnlisted(
  properties: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, unknown>,
  document: SchemaDocument,
): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    const value = values.get(name);
    if (value === undefined || value === null || value === '') continue;
    const coerced = coerce(property, value, name, document);
    if (!coerced.ok && coerced.problem.kind === 'enum') return coerced.problem.text;
  }
  return undefined;
}

function firstUnknown(
  properties: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, unknown>,
): Misfit | undefined {
  const given = [...values.keys()];
  const name = given.find((each) => !Object.hasOwn(properties, each) && values.get(each) !== undefined);
  return name === undefined ? undefined : { kind: 'unknown', path: name, name, given, known: Object.keys(properties) };
}

/** A string returned instead of an object is the reason. */
function asObject(input: unknown): Readonly<Record<string, unknown>> | string {
  if (input === undefined || input === null || input === '') return {};
  if (isRecord(input)) return bounded(input);
  if (typeof input !== 'string')
    return `expected an object, got ${Array.isArray(input) ? 'an array' : `a ${typeof input}`}`;
  let parsed: unknown;
  try {
    parsed = parseBoundedInput(input);
  } catch (error) {
    return errorMessage(error);
  }
  return typeof parsed === 'string' ? 'expected an object, got a string' : asObject(parsed);
}

function bounded(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | string {
  try {
    checkBoundedValue(input);
    return input;
  } catch (error) {
    return errorMessage(error);
  }
}

function foldAliases(
  given: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
  isMissing: (name: string, value: unknown) => boolean,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) if (!Object.hasOwn(aliases, name)) values.set(name, value);
  for (const [alias, name] of Object.entries(aliases)) {
    const value = ownValue(given, alias);
    if (!isMissing(name, value) && isMissing(name, values.get(name))) values.set(name, value);
  }
  return values;
}
