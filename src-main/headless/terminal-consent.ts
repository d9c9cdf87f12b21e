import type { Writable } from 'node:stream';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../policy/consent.ts';
import type { FormField } from '../policy/mcp/form.ts';
import type { ConsentQuestion } from '../policy/question/consent-question.ts';
import { answerTo } from '../policy/question/given-answer.ts';
import { questionOf } from '../policy/question/question-of.ts';
import { consentText } from './consent-text.ts';
import { answerIn, menu } from './terminal-answer.ts';
import { type AskLine, filledIn } from './terminal-form.ts';
import { type TerminalInput, TerminalLines } from './terminal-lines.ts';

export interface TerminalConsentOptions {
  readonly input: TerminalInput;
  /** Questions are shown on standard error, because standard output carries the answer. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a question can be read before its answer is taken. By default, it is as long as in the window. */
  readonly promptAfterMs?: number;
}

/**
 * The delay is the same as in the consent view, because nobody can read a question faster. Source: design section 4.
 */
const PROMPT_AFTER_MS = 500;

/**
 * Asks the user at the terminal. Questions wait for each other in a queue (see services.ts). The end of the input
 * counts as no. Source: design section 4.
 */
export function terminalConsent(options: TerminalConsentOptions): ConsentPort {
  const lines = new TerminalLines(options.input);
  return { ask: (request, signal) => askOne(request, lines, options, signal) };
}

async function askOne(
  request: ConsentRequest,
  lines: TerminalLines,
  { output, env, promptAfterMs = PROMPT_AFTER_MS }: TerminalConsentOptions,
  signal: AbortSignal,
): Promise<ConsentAnswer> {
  const color = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const question = questionOf(request);
  const text = await consentText(question, { color, columns: output.columns });
  const read = async (shown: string) => {
    output.write(`${shown}> `);
    const line = await lines.next(signal);
    if (line === null) output.write('\n');
    return line;
  };
  const ask = async (shown: string) => {
    await lines.letRead(() => output.write(shown), promptAfterMs, signal);
    output.write('Your answer: ');
    const line = await lines.next(signal);
    if (line === null) output.write('\n');
    return line;
  };
  try {
    if (question.fields !== undefined) return await formAnswered(question, question.fields, text, { ask, read });
    return await answered(question, text + menu(question), ask);
  } catch (error) {
    if (signal.aborted) output.write('\n(This is no longer asked.)\n');
    throw error;
  }
}

const INPUT_ENDED: ConsentAnswer = { answer: 'deny', by: 'default', reason: { code: 'terminal_ended' } };

const SEND = '\nSend this?\n  y  yes, send it\n  n  no, decline it\n  c  cancel, neither yes nor no\n';

/** Asks first whether to fill it in, then field by field, then whether to send it. */
async function formAnswered(
  question: ConsentQuestion,
  fields: readonly FormField[],
  text: string,
  { ask, read }: { readonly ask: AskLine; readonly read: AskLine },
): Promise<ConsentAnswer> {
  const refused = await unlessYes(question, text + menu(question), ask);
  if (refused !== undefined) return refused;
  const entered = await filledIn(fields, read);
  if (entered === null) return INPUT_ENDED;
  const sent = answerTo(question, { answer: 'form', entered });
  return (await unlessYes(question, SEND, ask)) ?? sent ?? INPUT_ENDED;
}

/** `undefined` if the user said yes. */
async function unlessYes(question: ConsentQuestion, text: string, ask: AskLine): Promise<ConsentAnswer | undefined> {
  for (let shown = text; ; ) {
    const line = await ask(shown);
    if (line === null) return INPUT_ENDED;
    if (/^y(es)?$/i.test(line.trim())) return undefined;
    const answer = answerIn(line, question);
    if (typeof answer !== 'string') return answer;
    shown = answer;
  }
}

/** `ask` shows a text and resolves with the line typed in answer, or null at the end of the input. */
async function answered(
  question: ConsentQuestion,
  text: string,
  ask: (shown: string) => Promise<string | null>,
): Promise<ConsentAnswer> {
  for (let shown = text; ; ) {
    const line = await ask(shown);
    if (line === null) return INPUT_ENDED;
    const answer = answerIn(line, question);
    if (typeof answer !== 'string') return answer;
    shown = answer;
  }
}
