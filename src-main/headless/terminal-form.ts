import {
  type EnteredValue,
  type FieldRules,
  fieldHint,
  fieldProblem,
  fieldProblemText,
  NO_ANSWER,
  SECRET_FIELD_WARNING,
} from '../../src-preload/contract/form.ts';
import { visible } from '../base/text.ts';
import type { FormField } from '../policy/mcp/form.ts';

/** Shows a text and resolves with the line typed in answer, or with null if the input has ended. */
export type AskLine = (shown: string) => Promise<string | null>;

/** The user fills in a form field by field. `null` if the input ends first. */
export async function filledIn(fields: readonly FormField[], ask: AskLine): Promise<readonly EnteredValue[] | null> {
  const entered: EnteredValue[] = [];
  for (const [index, field] of fields.entries()) {
    const value = await fieldFilledIn(field, `\n${index + 1}/${fields.length}  ${fieldText(field)}`, ask);
    if (value === null) return null;
    entered.push(value);
  }
  return entered;
}

async function fieldFilledIn(field: FormField, text: string, ask: AskLine): Promise<EnteredValue | null> {
  for (let shown = text; ; ) {
    const line = await ask(`${shown}${promptOf(field)}`);
    if (line === null) return null;
    const value = enteredIn(line, field);
    const problem = value === undefined ? ({ code: 'not_offered' } as const) : fieldProblem(field.rules, value);
    if (value !== undefined && problem === null) return value;
    shown = problem === null ? '' : `${fieldProblemText(problem)}\n`;
  }
}

/** A field as it is asked for. Its untrusted lines have a bar in front. */
function fieldText({ title, description, rules, options, looksSecret }: FormField): string {
  const lines = [`${visible(title)}${rules.isRequired ? ' (required)' : ''}`];
  if (description !== '') lines.push(...description.split('\n').map((line) => `  │ ${visible(line)}`));
  if (looksSecret) lines.push(`! ${SECRET_FIELD_WARNING}`);
  const hint = fieldHint(rules);
  if (hint !== '') lines.push(`     ${hint}`);
  lines.push(...options.map((option, index) => `  ${index + 1}  ${visible(option.title)}`));
  if (mayStayUnchosen(rules)) lines.push(`  0  ${NO_ANSWER}`);
  return `${lines.join('\n')}\n`;
}

/** A choice that may stay empty: this is the way to take back a default. */
function mayStayUnchosen({ kind, isRequired }: FieldRules): boolean {
  return !isRequired && (kind === 'choice' || kind === 'choices');
}

function promptOf({ rules, options, initial }: FormField): string {
  const what = { text: '', number: '', boolean: 'y or n', choice: 'a number', choices: 'numbers, as in 1,3' }[
    rules.kind
  ];
  const standing =
    typeof initial === 'object'
      ? initial.map((index) => visible(options[index]?.title ?? '')).join(', ')
      : visible(typeof initial === 'boolean' ? (YES_NO[Number(initial)] ?? '') : initial);
  const keeps = standing === '' && mayStayUnchosen(rules) ? NO_ANSWER : standing;
  const kept = keeps === '' ? '' : `Enter keeps: ${keeps}`;
  const said = [what, kept].filter((part) => part !== '').join('; ');
  return said === '' ? '' : `     (${said})\n`;
}

const YES_NO = ['n', 'y'];

/** `undefined` if it is not one of the choices. */
function enteredIn(line: string, { rules, initial }: FormField): EnteredValue | undefined {
  const text = line.trim();
  if (text === '') return initial;
  switch (rules.kind) {
    case 'text':
    case 'number':
      return text;
    case 'boolean':
      if (/^y(?:es)?$/i.test(text)) return true;
      return /^no?$/i.test(text) ? false : undefined;
    default:
      if (text === '0' && mayStayUnchosen(rules)) return [];
      return text.split(/[\s,]+/).map((each) => (/^\d{1,4}$/.test(each) ? Number(each) - 1 : -1));
  }
}
