import {
  type EnteredValue,
  enteredNumber,
  type FieldRules,
  fieldProblem,
  isFilledIn,
} from '../../../src-preload/contract/form.ts';

export interface FormOption {
  /** What the server is sent. */
  readonly value: string;
  /** What a person reads. Untrusted. */
  readonly title: string;
}

/** One field of a form of an MCP server. Its texts are the server's. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  /** Empty: none. */
  readonly description: string;
  readonly rules: FieldRules;
  /** Of a choice. */
  readonly options: readonly FormOption[];
  /** What stands in it at first. */
  readonly initial: EnteredValue;
  /** The server named a value to begin with. */
  readonly hasDefault: boolean;
  /** It seems to ask for a password or a key. */
  readonly looksSecret: boolean;
}

/** What a server is sent, by the names of its fields. */
export type FormContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * What is sent for these entries, one for each field; fields in which nothing stands are left out. `undefined`: they do not meet the
 * rules of the form, and nothing may be sent.
 */
export function formContent(fields: readonly FormField[], entered: readonly EnteredValue[]): FormContent | undefined {
  if (entered.length !== fields.length) return undefined;
  const members: [string, FormContent[string]][] = [];
  for (const [index, field] of fields.entries()) {
    const value = entered[index];
    if (value === undefined || fieldProblem(field.rules, value) !== null) return undefined;
    if (isFilledIn(value)) members.push([field.name, contentOf(field, value)]);
  }
  // Defines its members: a name such as `__proto__` is one like others.
  return Object.fromEntries(members);
}

function contentOf({ rules, options }: FormField, entered: EnteredValue): FormContent[string] {
  if (typeof entered === 'boolean') return entered;
  if (typeof entered === 'string') return rules.kind === 'number' ? (enteredNumber(entered) ?? 0) : entered;
  const values = entered.flatMap((index) => options[index]?.value ?? []);
  return rules.kind === 'choices' ? values : (values[0] ?? '');
}

/** What a form sends as the server filled it in; `undefined`: a person has to. Boxes are only sent if the server named a value. */
export function defaultContent(fields: readonly FormField[]): FormContent | undefined {
  if (fields.some(({ rules, hasDefault }) => rules.kind === 'boolean' && rules.isRequired && !hasDefault))
    return undefined;
  return formContent(
    fields,
    fields.map(({ initial, hasDefault }) => (typeof initial === 'boolean' && !hasDefault ? '' : initial)),
  );
}
