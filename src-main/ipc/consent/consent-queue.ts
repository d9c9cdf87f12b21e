import type { ConsentCard, ConsentState, consent } from '../../../src-preload/contract/consent.ts';
import type { ParsedInputOf } from '../../../src-preload/contract/route.ts';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../../policy/consent.ts';
import type { ConsentQuestion } from '../../policy/question/consent-question.ts';
import { answerTo } from '../../policy/question/given-answer.ts';
import { questionOf } from '../../policy/question/question-of.ts';
import { IpcError } from '../ipc-error.ts';
import { consentCard } from './consent-card.ts';

/** A key or click that was meant for something else must not answer. The page keeps the same time for itself. */
export const ANSWER_NOT_BEFORE_MS = 500;

/** A question that takes longer to lay out is shown as one that cannot be read yet, and can be denied. */
export const PREPARING_AFTER_MS = 300;

export type GivenAnswer = ParsedInputOf<typeof consent.answer>;

export interface ConsentQueueOptions {
  /** Questions that wait before they come here (see `SerialQueue`). */
  readonly waitingElsewhere: () => number;
  readonly theme: () => ConsentState['theme'];
  readonly titleOf: (conversationId: string) => string | null;
  /** Hears of every change of `state()`. */
  readonly onChange: () => void;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface Waiting {
  readonly question: ConsentQuestion;
  card: ConsentCard | undefined;
  isSlow: boolean;
  /** When the surface was first given the card since it was loaded. */
  shownAt: number | undefined;
  readonly answer: (answer: ConsentAnswer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The questions to the person at the window, in order; one card at a time. They live here, so that a page which is loaded
 * again is shown the same card. Source: design section 4.
 */
export class ConsentQueue implements ConsentPort {
  readonly asksTogether = true;
  readonly #options: ConsentQueueOptions;
  readonly #questions: Waiting[] = [];
  readonly #now: () => number;
  #isSurfaceListening = false;

  constructor(options: ConsentQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer> {
    signal.throwIfAborted();
    const question = questionOf(request);
    return new Promise<ConsentAnswer>((resolve, reject) => {
      const slow = setTimeout(() => {
        waiting.isSlow = true;
        this.#options.onChange();
      }, PREPARING_AFTER_MS);
      const leave = () => {
        clearTimeout(slow);
        signal.removeEventListener('abort', onAbort);
        this.#questions.splice(this.#questions.indexOf(waiting), 1);
        this.#options.onChange();
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        question,
        card: undefined,
        isSlow: false,
        shownAt: undefined,
        answer: (answer) => {
          leave();
          resolve(answer);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#questions.push(waiting);
      this.#options.onChange();
      void this.#draw(waiting);
    });
  }

  /** How many questions there are, the one that is shown included. */
  get pending(): number {
    return this.#questions.length + this.#options.waitingElsewhere();
  }

  /** Whether there is something to show now. */
  get isShown(): boolean {
    const [first] = this.#questions;
    return first !== undefined && (first.card !== undefined || first.isSlow);
  }

  /** The surface asks: it is there, and listens from now on. */
  stateAsked(): ConsentState {
    this.#isSurfaceListening = true;
    return this.state();
  }

  /** For the surface alone. If it listens, its card counts as shown from here on. */
  state(): ConsentState {
    const [first] = this.#questions;
    const card = first?.card ?? null;
    const preparing = first !== undefined && card === null && first.isSlow ? first.question.id : null;
    const isShown = card !== null || preparing !== null;
    if (isShown && first !== undefined && this.#isSurfaceListening) first.shownAt ??= this.#now();
    return { card, preparing, waiting: isShown ? this.pending - 1 : this.pending, theme: this.#options.theme() };
  }

  /** The surface's page is gone or being loaded anew: it shows nothing until it asks. */
  surfaceLeft(): void {
    this.#isSurfaceListening = false;
    for (const waiting of this.#questions) waiting.shownAt = undefined;
  }

  /** The surface's page died: nothing that it asks or would ask next can be answered. Gives whether anything was asked. */
  surfaceEnded(): boolean {
    this.surfaceLeft();
    const ended = [...this.#questions];
    for (const { answer } of ended) answer({ answer: 'deny', by: 'default', reason: { code: 'consent_page_ended' } });
    return ended.length > 0;
  }

  /** Takes an answer for the card that is shown. Throws `IpcError` (`not_shown`, `too_early`, `bad_input`). */
  answer(given: GivenAnswer): void {
    const [first] = this.#questions;
    if (first === undefined || first.shownAt === undefined || first.question.id !== given.id)
      throw new IpcError('not_shown', 'This question is not asked any more. Nothing was answered.');
    if (this.#now() - first.shownAt < ANSWER_NOT_BEFORE_MS)
      throw new IpcError('too_early', 'The question had only just appeared. Look at it, then answer.');
    if (first.card === undefined && given.answer !== 'deny')
      throw new IpcError('not_shown', 'This question cannot be read yet. It can only be denied.');
    const answer = answerTo(first.question, given);
    if (answer === undefined)
      throw new IpcError('bad_input', 'consent.answer: offer or calls are none of what was shown.');
    first.answer(answer);
  }

  async #draw(waiting: Waiting): Promise<void> {
    const { question } = waiting;
    try {
      const title = question.conversationId === null ? null : this.#options.titleOf(question.conversationId);
      const card = await consentCard(question, title);
      if (!this.#questions.includes(waiting)) return;
      waiting.card = card;
      // It can be read from here on.
      waiting.shownAt = undefined;
      this.#options.onChange();
    } catch (error) {
      // A question that cannot be shown cannot be answered.
      if (this.#questions.includes(waiting)) waiting.fail(error);
    }
  }
}
