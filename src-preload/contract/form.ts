/**
 * A form from an MCP server, and the values entered so far. The page, main and the terminal validate entries by the
 * same rules; only main's result counts. Source: MCP specification 2025-11-25, "Elicitation".
 */
export type FieldRules = { readonly isRequired: boolean } & (
  | {
      readonly kind: 'text';
      readonly format: TextFormat | null;
      /** In UTF-16 units. */
      readonly minLength: number | null;
      readonly maxLength: number | null;
    }
  | {
      readonly kind: 'number';
      readonly isInteger: boolean;
      readonly minimum: number | null;
      readonly maximum: number | null;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly optionCount: number }
  /** A multiple choice. */
  | {
      readonly kind: 'choices';
      readonly optionCount: number;
      readonly minItems: number | null;
      readonly maxItems: number | null;
    }
);

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

/** Texts and numbers as typed; for choices, the indices of the chosen options. */
export type EnteredValue = string | boolean | readonly number[];

export type FieldProblem =
  | { readonly code: 'missing' }
  /** The entry does not belong to this field. */
  | { readonly code: 'not_offered' }
  | { readonly code: 'not_a_number' }
  | { readonly code: 'not_whole' }
  | { readonly code: 'too_small'; readonly minimum: number }
  | { readonly code: 'too_large'; readonly maximum: number }
  | { readonly code: 'too_short'; readonly minLength: number }
  | { readonly code: 'too_long'; readonly maxLength: number }
  | { readonly code: 'wrong_format'; readonly format: TextFormat }
  | { readonly code: 'too_few'; readonly minItems: number }
  | { readonly code: 'too_many'; readonly maxItems: number };

/** Longer than anyone types; longer entries are not sent. */
export const MAX_ENTRY_LENGTH = 10_000;

const NUMBER = /^[+-]?(?:\d+(?:[.]\d*)?|[.]\d+)(?:e[+-]?\d+)?$/i;
const MAIL_ADDRESS = /^[^\s@]{1,64}@[^\s@.]+(?:[.][^\s@.]+)*$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:[^\s]+$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:[.]\d{1,9})?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Whether the field has a value. An unticked box counts as "no". */
export function isFilledIn(entered: EnteredValue): boolean {
  return typeof entered === 'boolean' || entered.length > 0;
}

/** `null` if it can be sent. */
export function fieldProblem(rules: FieldRules, entered: EnteredValue): FieldProblem | null {
  if (!isFilledIn(entered)) return rules.isRequired ? { code: 'missing' } : null;
  switch (rules.kind) {
    case 'boolean':
      return typeof entered === 'boolean' ? null : { code: 'not_offered' };
    case 'text':
      return typeof entered === 'string' ? textProblem(rules, entered) : { code: 'not_offered' };
    case 'number':
      return typeof entered === 'string' ? numberProblem(rules, entered) : { code: 'not_offered' };
    case 'choice':
    case 'choices':
      return typeof entered === 'object' ? choiceProblem(rules, entered) : { code: 'not_offered' };
  }
}

type RulesOf<K extends FieldRules['kind']> = Extract<FieldRules, { kind: K }>;

function textProblem({ format, minLength, maxLength }: RulesOf<'text'>, text: string): FieldProblem | null {
  const longest = Math.min(maxLength ?? MAX_ENTRY_LENGTH, MAX_ENTRY_LENGTH);
  if (minLength !== null && text.length < minLength) return { code: 'too_short', minLength };
  if (text.length > longest) return { code: 'too_long', maxLength: longest };
  return format === null || hasFormat(text, format) ? null : { code: 'wrong_format', format };
}

function hasFormat(text: string, format: TextFormat): boolean {
  switch (format) {
    case 'email':
      return MAIL_ADDRESS.test(text);
    case 'uri':
      return ADDRESS.test(text) && URL.canParse(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
  }
}

/** Rejects dates such as the 30th of February. */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month);
}

function numberProblem({ isInteger, minimum, maximum }: RulesOf<'number'>, text: string): FieldProblem | null {
  const number = enteredNumber(text);
  if (number === null) return { code: 'not_a_number' };
  if (isInteger && !Number.isSafeInteger(number)) return { code: 'not_whole' };
  if (minimum !== null && number < minimum) return { code: 'too_small', minimum };
  return maximum !== null && number > maximum ? { code: 'too_large', maximum } : null;
}

/** `null` if it is not a number. */
export function enteredNumber(text: string): number | null {
  const written = text.trim();
  const number = NUMBER.test(written) ? Number(written) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function choiceProblem(rules: RulesOf<'choice' | 'choices'>, chosen: readonly number[]): FieldProblem | null {
  const isOffered = (index: number) => Number.isInteger(index) && index >= 0 && index < rules.optionCount;
  if (!chosen.every(isOffered) || new Set(chosen).size !== chosen.length) return { code: 'not_offered' };
  if (rules.kind === 'choice') return chosen.length === 1 ? null : { code: 'not_offered' };
  const { minItems, maxItems } = rules;
  if (minItems !== null && chosen.length < minItems) return { code: 'too_few', minItems };
  return maxItems !== null && chosen.length > maxItems ? { code: 'too_many', maxItems } : null;
}

const FORMATS: Readonly<Record<TextFormat, string>> = {
  email: 'an e-mail address, such as ada@example.org',
  uri: 'a whole address, such as https://example.org/page',
  date: 'a date, such as 2027-03-14',
  'date-time': 'a date and time with its time zone, such as 2027-03-14T09:30:00Z',
};

/** The problem as a sentence for people. */
export function fieldProblemText(problem: FieldProblem): string {
  switch (problem.code) {
    case 'missing':
      return 'This field is required.';
    case 'not_offered':
      return 'This is not one of the choices.';
    case 'not_a_number':
      return 'Enter a number.';
    case 'not_whole':
      return 'Enter a whole number.';
    case 'too_small':
      return `Enter ${problem.minimum} or more.`;
    case 'too_large':
      return `Enter ${problem.maximum} or less.`;
    case 'too_short':
      return `Enter at least ${characters(problem.minLength)}.`;
    case 'too_long':
      return `Enter at most ${characters(problem.maxLength)}.`;
    case 'wrong_format':
      return `Enter ${FORMATS[problem.format]}.`;
    case 'too_few':
      return `Choose at least ${problem.minItems}.`;
    case 'too_many':
      return `Choose at most ${problem.maxItems}.`;
  }
}

/** A hint about valid entries, shown before anything is entered. Empty if there are no limits. */
export function fieldHint(rules: FieldRules): string {
  switch (rules.kind) {
    case 'text': {
      const { format, minLength, maxLength } = rules;
      if (format !== null) return capitalized(FORMATS[format]);
      return rangeHint(minLength, maxLength, 'characters');
    }
    case 'number': {
      const range = rangeHint(rules.minimum, rules.maximum, '');
      if (!rules.isInteger) return range === '' ? 'A number' : range;
      return range === '' ? 'A whole number' : `A whole number, ${range.toLowerCase()}`;
    }
    case 'choices':
      return rangeHint(rules.minItems, rules.maxItems, 'choices');
    case 'boolean':
    case 'choice':
      return '';
  }
}

function rangeHint(least: number | null, most: number | null, what: string): string {
  const unit = what === '' ? '' : ` ${what}`;
  if (least !== null && most !== null) return `${least} to ${most}${unit}`;
  if (least !== null) return `At least ${least}${unit}`;
  return most === null ? '' : `At most ${most}${unit}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`);

/** Takes back the choice in a field that may stay empty. */
export const NO_ANSWER = 'No answer';

/**
 * Shown at a field that asks for something no server may ask for in a form. Source: as above, "Security
 * Considerations".
 */
export const SECRET_FIELD_WARNING =
  'This looks like a password or key. A server never needs one in a form: what you enter goes to it as plain text.';
