import type { Writable } from 'node:stream';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../policy/consent.ts';
import type { ConsentQuestion } from '../policy/question/consent-question.ts';
import { questionOf } from '../policy/question/question-of.ts';
import { consentText } from './consent-text.ts';
import { answerIn, menu } from './terminal-answer.ts';
import { type TerminalInput, TerminalLines } from './terminal-lines.ts';

export interface TerminalConsentOptions {
  readonly input: TerminalInput;
  /** Where questions are shown: standard error, since standard output carries the answer. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a question can be read before its answer is taken. Default: as in the window. */
  readonly promptAfterMs?: number;
}

/** As in the consent view: nobody can read a question faster. Source: design section 4. */
const PROMPT_AFTER_MS = 500;

/** Asks the person at the terminal. Questions wait for each other in a queue (see services.ts). The end of the input counts as no. Source: design section 4. */
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
  const ask = async (shown: string) => {
    await lines.letRead(() => output.write(shown), promptAfterMs, signal);
    output.write('Your answer: ');
    const line = await lines.next(signal);
    if (line === null) output.write('\n');
    return line;
  };
  try {
    return await answered(question, text + menu(question), ask);
  } catch (error) {
    if (signal.aborted) output.write('\n(This is no longer asked.)\n');
    throw error;
  }
}

/** `ask`: shows a text and resolves with the line typed in answer, or `null` at the end of the input. */
async function answered(
  question: ConsentQuestion,
  text: string,
  ask: (shown: string) => Promise<string | null>,
): Promise<ConsentAnswer> {
  for (let shown = text; ; ) {
    const line = await ask(shown);
    if (line === null) return { answer: 'deny', by: 'default', reason: { code: 'terminal_ended' } };
    const answer = answerIn(line, question);
    if (typeof answer !== 'string') return answer;
    shown = answer;
  }
}
