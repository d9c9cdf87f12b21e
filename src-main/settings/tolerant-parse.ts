import { z } from 'zod';
import { isRecord, ownValue } from '../base/json.ts';
import { nearMiss } from './near-miss.ts';
import { type KeyPath, keyText, type SettingsProblem, shownValue } from './problems.ts';

export interface TolerantResult<T> {
  readonly value: T;
  readonly problems: readonly SettingsProblem[];
  /** The paths of values that have no effect. */
  readonly refused: readonly KeyPath[];
}

/**
 * Reads as much as possible. An invalid value gets its default; of lists and records only the invalid item is left out;
 * unknown keys are reported, but are not errors. Every member of `schema` must be optional or have a default.
 */
export function tolerantParse<S extends z.ZodObject>(
  schema: S,
  input: Readonly<Record<string, unknown>>,
): TolerantResult<z.output<S>> {
  const reader = new TolerantReader();
  const value = reader.object(schema, input, []);
  // The value is valid already; this only gives it its type. Transforms must be idempotent.
  return { value: schema.parse(value), problems: reader.problems, refused: reader.refused };
}

class TolerantReader {
  readonly problems: SettingsProblem[] = [];
  readonly refused: KeyPath[] = [];

  object(schema: z.ZodObject, input: Readonly<Record<string, unknown>>, path: KeyPath): Record<string, unknown> {
    const members = Object.entries(schema.shape).flatMap(([key, member]) => {
      const given = ownValue(input, key);
      return given === undefined ? [] : [[key, this.#member(asZodType(member), given, [...path, key])] as const];
    });
    this.#reportUnknown(schema, input, path);
    return Object.fromEntries(members);
  }

  /** `undefined` means the default. */
  #member(schema: z.ZodType, input: unknown, path: KeyPath): unknown {
    const inner = withoutDefault(schema);
    if (inner instanceof z.ZodObject && isRecord(input)) return this.object(inner, input, path);
    if (inner instanceof z.ZodRecord && isRecord(input)) return this.#record(inner, input, path);
    if (inner instanceof z.ZodArray && Array.isArray(input)) return this.#list(inner, input, path);
    const parsed = inner.safeParse(input);
    if (parsed.success) return parsed.data;
    this.#refuse(schema, input, path, parsed.error, defaultText(schema));
    return undefined;
  }

  #record(schema: z.ZodRecord, input: Readonly<Record<string, unknown>>, path: KeyPath): Record<string, unknown> {
    const value = new Map<string, unknown>();
    const entry = asZodType(schema.valueType);
    for (const [name, item] of Object.entries(input)) {
      const here = [...path, name];
      const named = asZodType(schema.keyType).safeParse(name);
      if (!named.success) {
        const why = named.error.issues.find(({ code }) => code === 'custom')?.message ?? 'Give it another name.';
        this.#add(here, `cannot be used as a name here, and is left out. ${why}`);
        continue;
      }
      const parsed = entry.safeParse(item);
      if (!parsed.success)
        this.#refuse(entry, item, here, parsed.error, `${keyText(here)} is left out until it is corrected.`);
      else {
        value.set(name, parsed.data);
        if (entry instanceof z.ZodObject && isRecord(item)) this.#reportUnknown(entry, item, here);
      }
    }
    return Object.fromEntries(value);
  }

  #list(schema: z.ZodArray, input: readonly unknown[], path: KeyPath): unknown[] {
    const value: unknown[] = [];
    const element = asZodType(schema.element);
    for (const [index, item] of input.entries()) {
      const parsed = element.safeParse(item);
      if (!parsed.success)
        this.#refuse(element, item, [...path, index], parsed.error, 'It is left out until it is corrected.');
      else if (!value.includes(parsed.data)) value.push(parsed.data);
    }
    return value;
  }

  #refuse(schema: z.ZodType, input: unknown, path: KeyPath, error: z.ZodError, consequence: string): void {
    this.refused.push(path);
    for (const issue of error.issues) {
      const inner = issue.path.filter((part) => typeof part !== 'symbol');
      const at = [...path, ...inner];
      const value = valueAt(input, inner);
      const expected = expectedAt(schema, inner);
      const expectation = expected === undefined ? '' : `; expected ${expected}`;
      let wrong = `is ${shownValue(at, value)}`;
      if (issue.code === 'custom') wrong = issue.message === 'Invalid input' ? 'cannot be used' : issue.message;
      else if (issue.code === 'invalid_key') wrong = 'cannot be used as a name here';
      else if (value === undefined) wrong = 'is missing';
      if (issue.code === 'custom' && typeof value === 'string' && !value.includes('\0'))
        wrong = `(${shownValue(at, value)}) ${wrong}`;
      this.#report('error', 'bad_value', at, `${keyText(at)} ${wrong}${expectation}. ${consequence}`);
    }
  }

  #add(path: KeyPath, text: string): void {
    this.refused.push(path);
    this.#report('error', 'bad_value', path, `${keyText(path)} ${text}`);
  }

  #reportUnknown(schema: z.ZodObject, input: Readonly<Record<string, unknown>>, path: KeyPath): void {
    const known = Object.keys(schema.shape);
    for (const key of Object.keys(input)) {
      if (known.includes(key)) continue;
      const at = [...path, key];
      const similar = nearMiss(key, known);
      let advice = ' It is ignored and kept.';
      if (similar !== undefined) advice = ` It is ignored and kept. Did you mean ${keyText([...path, similar])}?`;
      else if (/(api|admin)[-_]?key|secret|token|password/i.test(key))
        advice = ' It is ignored. Secrets are not kept in this file: store it in the keychain and remove it here.';
      this.#report('notice', 'unknown_key', at, `${keyText(at)} is not a known key.${advice}`);
    }
  }

  #report(severity: SettingsProblem['severity'], code: SettingsProblem['code'], path: KeyPath, message: string): void {
    this.problems.push({ severity, code, key: keyText(path), message });
  }
}

/** zod gives the parts of a schema its core's type, which is the same object. */
export function asZodType(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('not a zod schema');
}

export function withoutDefault(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return withoutDefault(asZodType(schema.unwrap()));
  return schema;
}

function defaultText(schema: z.ZodType): string {
  const standard: unknown = schema.parse(undefined);
  if (standard === undefined) return 'It counts as not set until it is corrected.';
  if (typeof standard === 'object') return 'The default is used until it is corrected.';
  return `The default, ${JSON.stringify(standard)}, is used until it is corrected.`;
}

function valueAt(input: unknown, path: KeyPath): unknown {
  let value = input;
  for (const part of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  return value;
}

function expectedAt(schema: z.ZodType, path: KeyPath): string | undefined {
  let at = schema;
  let expected = expectedOf(at);
  for (const part of path) {
    const inner = withoutDefault(at);
    let next: unknown;
    if (inner instanceof z.ZodObject) next = inner.shape[String(part)];
    else if (inner instanceof z.ZodRecord) next = inner.valueType;
    else if (inner instanceof z.ZodArray) next = inner.element;
    if (next === undefined) return undefined;
    at = asZodType(next);
    expected = expectedOf(at) ?? (withoutDefault(at) instanceof z.ZodString ? 'a text' : undefined);
  }
  return expected;
}

function expectedOf(schema: z.ZodType): string | undefined {
  return (
    schema.meta()?.expected ??
    withoutDefault(schema).meta()?.expected ??
    (schema instanceof z.ZodString ? 'a text' : undefined)
  );
}
