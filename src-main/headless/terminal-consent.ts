import type { Writable } from 'node:stream';
import { SerialQueue } from '../base/serial-queue.ts';
import { visible } from '../base/visible-text.ts';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../policy/consent.ts';
import type { RuleDraft } from '../policy/rules.ts';
import { consentText } from './consent-text.ts';
import { type TerminalInput, TerminalLines } from './terminal-lines.ts';

export interface TerminalConsentOptions {
  readonly input: TerminalInput;
  /** Where questions are shown: standard error, since standard output carries the answer. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a question can be read before its answer is taken. Default: as in the window. */
  readonly promptAfterMs?: number;
}

/** As in the consent view: nobody reads a question in less. Source: design section 4. */
const PROMPT_AFTER_MS = 500;

type Choice =
  | { readonly kind: 'once' | 'unclear' }
  | { readonly kind: 'deny'; readonly word?: string }
  /** `number`: which of the offered rules, from 1. */
  | { readonly kind: 'keep'; readonly scope: 'conversation' | 'always'; readonly number: number | undefined };

/** Asks the person at the terminal, one question at a time. The end of the input is a no. Source: design section 4. */
export function terminalConsent(options: TerminalConsentOptions): ConsentPort {
  const lines = new TerminalLines(options.input);
  const questions = new SerialQueue();
  return {
    ask: (request, signal) => questions.run(signal, () => askOne(request, lines, options, signal)),
  };
}

async function askOne(
  request: ConsentRequest,
  lines: TerminalLines,
  { output, env, promptAfterMs = PROMPT_AFTER_MS }: TerminalConsentOptions,
  signal: AbortSignal,
): Promise<ConsentAnswer> {
  const color = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const text = await consentText(request, { color, columns: output.columns });
  const offers = request.kind === 'tool' ? request.offers : [];
  const ask = async (question: string) => {
    await lines.letRead(() => output.write(question), promptAfterMs, signal);
    output.write('Your answer: ');
    const line = await lines.next(signal);
    if (line === null) output.write('\n');
    return line;
  };
  try {
    return await answered(text, request, offers, ask);
  } catch (error) {
    if (signal.aborted) output.write('\n(This is no longer asked.)\n');
    throw error;
  }
}

/** `ask`: shows a question and gives the line that answers it; `null`: there is none to come. */
async function answered(
  text: string,
  request: ConsentRequest,
  offers: readonly RuleDraft[],
  ask: (question: string) => Promise<string | null>,
): Promise<ConsentAnswer> {
  for (let question = text + menu(request, offers); ; ) {
    const line = await ask(question);
    if (line === null) {
      return { answer: 'deny', by: 'default', reason: { code: 'terminal_ended' } };
    }
    const choice = choiceOf(line);
    if (choice.kind === 'once') return { answer: 'allow', scope: 'once', by: 'user' };
    if (choice.kind === 'deny')
      return { answer: 'deny', by: 'user', ...(choice.word === undefined ? {} : { word: choice.word }) };
    const rule = choice.kind === 'keep' ? ruleFor(choice.number, offers) : undefined;
    if (choice.kind === 'keep' && rule !== undefined) return { answer: 'allow', scope: choice.scope, rule, by: 'user' };
    question = tryAgain(choice, request, offers);
  }
}

/** `y`, `n`, `n no, use the other file`, `c`, `a`, `a 2`. */
function choiceOf(line: string): Choice {
  const text = line.trim();
  if (/^y(es)?$/i.test(text)) return { kind: 'once' };
  if (/^no?$/i.test(text)) return { kind: 'deny' };
  const word = /^no?\s+(.+)$/i.exec(text)?.[1];
  if (word !== undefined) return { kind: 'deny', word };
  const keep = /^([ca])\s*(\d{1,3})?$/i.exec(text);
  if (keep === null) return { kind: 'unclear' };
  const number = keep[2] === undefined ? undefined : Number(keep[2]);
  return { kind: 'keep', scope: keep[1]?.toLowerCase() === 'a' ? 'always' : 'conversation', number };
}

/** The only one needs no number. */
function ruleFor(number: number | undefined, offers: readonly RuleDraft[]): RuleDraft | undefined {
  return number === undefined && offers.length === 1 ? offers[0] : offers[(number ?? 0) - 1];
}

function menu(request: ConsentRequest, offers: readonly RuleDraft[]): string {
  if (request.kind === 'grant') return '  y  yes, exactly this\n  n  no\n';
  if (request.kind === 'undo') return '  y  yes, put it back\n  n  no, keep it as it is\n';
  return `  y  yes, this once\n${keepMenu('c', 'for this conversation', offers)}${keepMenu('a', 'always', offers)}  n  no (words after it are told to the assistant: n use the other file)\n`;
}

function keepMenu(letter: 'c' | 'a', howLong: string, offers: readonly RuleDraft[]): string {
  const [first, second] = offers;
  if (first === undefined) return '';
  const which =
    second === undefined
      ? visible(first.label)
      : `by a rule: ${offers.map((_, index) => `${letter} ${index + 1}`).join(', ')}`;
  return `  ${letter}  yes, and ${howLong}${second === undefined ? ': ' : ' '}${which}\n`;
}

function tryAgain(choice: Choice, request: ConsentRequest, offers: readonly RuleDraft[]): string {
  if (choice.kind !== 'keep') return `Please answer ${offers.length > 0 ? 'y, c, a' : 'y'} or n.\n`;
  if (offers.length > 1)
    return `Please say which rule: ${offers.map((_, index) => `${index + 1}`).join(', ')}, as in "a 1".\n`;
  if (offers.length === 1) return 'There is only one rule to keep.\n';
  return request.kind === 'tool' ? 'No rule can be kept for this. Please answer y or n.\n' : 'Please answer y or n.\n';
}
