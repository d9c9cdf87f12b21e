import type { KeptFor } from '../../src-preload/contract/decision-reason.ts';
import { visible } from '../base/text.ts';
import type { ConsentAnswer } from '../policy/consent.ts';
import type { ConsentQuestion } from '../policy/question/consent-question.ts';
import { answerTo } from '../policy/question/given-answer.ts';

const LETTERS: Readonly<Record<KeptFor, string>> = { conversation: 'c', week: 'w', always: 'a' };
const KEPT_FOR = ['conversation', 'week', 'always'] as const;

/** The lines below a question that list the possible answers. */
export function menu(question: ConsentQuestion): string {
  switch (question.kind) {
    case 'tool':
      return callMenu(question);
    case 'grant':
      return '  y  yes, exactly this\n  n  no\n';
    case 'mail':
      return '  y  yes, send it now\n  n  no, never send it\n';
    case 'message':
      return '  y  yes, send it\n  n  no\n';
    case 'link':
      return '  y  yes, open it\n  n  no\n';
    case 'form':
      return '  y  fill it in\n  n  no, decline it\n  c  cancel, neither yes nor no\n';
    case 'server-link':
      return `  y  ${question.isOpened ? 'yes, go on' : 'yes, open it'}\n  n  no\n`;
    case 'sampling':
      return '  y  yes, this once\n  c  yes, and for this server in this conversation\n  n  no\n';
    case 'undo':
      return '  y  yes, undo it\n  n  no, leave it as it is\n';
    case 'redo':
      return '  y  yes, redo it\n  n  no, leave it as it is\n';
    case 'review':
      return '  y  I’ve reviewed them\n  n  not now\n';
    case 'pairing':
      return '  y  yes, pair it\n  n  no\n';
  }
}

function callMenu(question: ConsentQuestion): string {
  const keeping = KEPT_FOR.map((duration) => keepMenu(question, duration)).join('');
  const reviewing =
    question.reviews === 0 ? '' : '  r  yes, and I’ve reviewed the changed files: your rules apply again\n';
  const passing = question.mayPassVariables
    ? '  p  yes, this once, and pass the withheld variables to this command\n'
    : '';
  return `  y  yes, this ${question.isAddress === true ? 'address ' : ''}once\n${passing}${reviewing}${keeping}  n  no (what follows is told to the assistant, as in: n use the other file)\n`;
}

function keepMenu(question: ConsentQuestion, duration: KeptFor): string {
  const numbers = numbersFor(question, duration);
  if (numbers.length === 0) return '';
  const letter = LETTERS[duration];
  const conversation = question.isAddress === true ? 'this host in this conversation' : 'for this conversation';
  const howLong = { conversation, week: 'for a week', always: 'always' }[duration];
  const [only] = question.offers.length === 1 ? question.offers : [];
  const which =
    only === undefined
      ? ` by a rule: ${numbers.map((number) => `${letter} ${number}`).join(', ')}`
      : `: ${visible(only.rule.label)}`;
  return `  ${letter}  yes, and ${howLong}${which}\n`;
}

/** The numbers, from 1, of the rules that are offered for this duration. */
function numbersFor({ offers }: ConsentQuestion, duration: KeptFor): number[] {
  return offers.flatMap(({ keepFor }, index) => (keepFor.includes(duration) ? [index + 1] : []));
}

type Choice =
  | { readonly kind: 'once' | 'pass' | 'reviewed' | 'unclear' }
  | { readonly kind: 'deny'; readonly word: string }
  /** `number` is which of the offered rules, from 1. */
  | { readonly kind: 'keep'; readonly duration: KeptFor; readonly number: number | undefined };

/**
 * The answer in a line: `y`, `n`, `n no, use the other file`, `c`, `a`, `a 2`; or the text to print if it is not an
 * answer.
 */
export function answerIn(line: string, question: ConsentQuestion): ConsentAnswer | string {
  const choice = choiceOf(line);
  switch (choice.kind) {
    case 'unclear':
      return pleaseAnswer(question);
    case 'once':
      return answerTo(question, { answer: question.kind === 'review' ? 'reviewed' : 'once' }) ?? pleaseAnswer(question);
    case 'reviewed':
      return answerTo(question, { answer: 'reviewed' }) ?? pleaseAnswer(question);
    case 'pass':
      return answerTo(question, { answer: 'once', passesVariables: true }) ?? pleaseAnswer(question);
    case 'deny':
      return answerTo(question, { answer: 'deny', word: choice.word }) ?? pleaseAnswer(question);
    case 'keep': {
      const isForNow = choice.duration === 'conversation';
      if (isForNow && question.fields !== undefined)
        return answerTo(question, { answer: 'cancel' }) ?? pleaseAnswer(question);
      if (isForNow && question.mayAllowServer)
        return answerTo(question, { answer: 'server' }) ?? pleaseAnswer(question);
      const numbers = numbersFor(question, choice.duration);
      // A single rule needs no number.
      const number = choice.number ?? (numbers.length === 1 ? numbers[0] : undefined) ?? 0;
      return answerTo(question, { answer: choice.duration, offer: number - 1 }) ?? whichRule(question, numbers);
    }
  }
}

function choiceOf(line: string): Choice {
  const text = line.trim();
  if (/^y(es)?$/i.test(text)) return { kind: 'once' };
  if (/^r(eviewed)?$/i.test(text)) return { kind: 'reviewed' };
  if (/^p(ass)?$/i.test(text)) return { kind: 'pass' };
  if (/^no?$/i.test(text)) return { kind: 'deny', word: '' };
  const word = /^no?\s+(\S.*)$/i.exec(text)?.[1];
  if (word !== undefined) return { kind: 'deny', word };
  const keep = /^([a-z])\s*(\d{1,3})?$/i.exec(text);
  const duration = KEPT_FOR.find((each) => LETTERS[each] === keep?.[1]?.toLowerCase());
  if (duration === undefined) return { kind: 'unclear' };
  return { kind: 'keep', duration, number: keep?.[2] === undefined ? undefined : Number(keep[2]) };
}

function whichRule(question: ConsentQuestion, numbers: readonly number[]): string {
  if (numbers.length > 1) return `Please say which rule: ${numbers.join(', ')}, as in "a 1".\n`;
  if (numbers.length === 1) return 'There is only one rule to choose.\n';
  const why = question.kind === 'tool' ? "This can't be allowed by a rule. " : '';
  return why + pleaseAnswer(question);
}

function pleaseAnswer(question: ConsentQuestion): string {
  const letters = KEPT_FOR.flatMap((duration) =>
    numbersFor(question, duration).length > 0 ? [LETTERS[duration]] : [],
  );
  const reviewing = question.kind === 'tool' && question.reviews > 0 ? ['r'] : [];
  const passing = question.mayPassVariables ? ['p'] : [];
  if (question.kind === 'form' || question.kind === 'sampling') return 'Please answer y, c or n.\n';
  return `Please answer ${['y', ...passing, ...reviewing, ...letters].join(', ')} or n.\n`;
}
