import {
  type EnteredValue,
  enteredNumber,
  type FieldRules,
  fieldProblem,
  isFilledIn,
} from '../../../src-preload/contract/form.ts';

export interface FormOption {
  /** The value sent to the server. */
  readonly value: string;
  /** The label people see. Untrusted. */
  readonly title: string;
}

/** A field of an MCP server's form. Its texts are the server's. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  /** Empty if there is none. */
  readonly description: string;
  readonly rules: FieldRules;
  /** The choices of a field that has some. */
  readonly options: readonly FormOption[];
  /** The initial value. */
  readonly initial: EnteredValue;
  /** The server provided a default. */
  readonly hasDefault: boolean;
  /** The field seems to ask for a password or a key. */
  readonly looksSecret: boolean;
}

/** The content that is sent to a server, by field name. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The content to send for these entries, one per field; empty fields are left out. Undefined if an entry violates the
 * form's rules: then nothing may be sent.
 */
export function formContent(fields: readonly FormField[], entered: readonly EnteredValue[]): FormContent | undefined {
  if (entered.length !== fields.length) return undefined;
  const members: [string, FormContent[string]][] = [];
  for (const [index, field] of fields.entries()) {
    const value = entered[index];
    if (value === undefined || fieldProblem(field.rules, value) !== null) return undefined;
    if (isFilledIn(value)) members.push([field.name, contentOf(field, value)]);
  }
  // This defines own properties, so that a name such as `__proto__` is harmless.
  return Object.fromEntries(members);
}

function contentOf({ rules, options }: FormField, entered: EnteredValue): FormContent[string] {
  if (typeof entered === 'boolean') return entered;
  if (typeof entered === 'string') return rules.kind === 'number' ? (enteredNumber(entered) ?? 0) : entered;
  const values = entered.flatMap((index) => options[index]?.value ?? []);
  return rules.kind === 'choices' ? values : (values[0] ?? '');
}

/**
 * The form's content from its defaults alone, or undefined if the user has to fill it in. Boxes are only sent if the
 * server provided a default.
 */
export function defaultContent(fields: readonly FormField[]): FormContent | undefined {
  if (fields.some(({ rules, hasDefault }) => rules.kind === 'boolean' && rules.isRequired && !hasDefault))
    return undefined;
  return formContent(
    fields,
    fields.map(({ initial, hasDefault }) => (typeof initial === 'boolean' && !hasDefault ? '' : initial)),
  );
}
