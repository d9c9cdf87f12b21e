import type {
  ConsentCard,
  ConsentSize,
  ConsentState,
  consent,
  PendingQuestions,
} from '../../../src-preload/contract/consent.ts';
import type { ParsedInputOf } from '../../../src-preload/contract/route.ts';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../../policy/consent.ts';
import type { ShownQuestion, SurfacePlace } from '../../policy/consent-surface.ts';
import { type ConsentQuestion, isOfCall, isOfUser } from '../../policy/question/consent-question.ts';
import { answerTo } from '../../policy/question/given-answer.ts';
import { questionOf } from '../../policy/question/question-of.ts';
import { IpcError } from '../ipc-error.ts';
import { consentCard } from './consent-card.ts';
import { LastYes } from './last-yes.ts';

/** A key or click meant for something else must not answer. The page enforces the same delay. */
export const ANSWER_NOT_BEFORE_MS = 500;

/** A question that takes longer to lay out is shown as not readable yet, and can only be denied. */
export const PREPARING_AFTER_MS = 300;

export const CONSENT_ENDED_TEXT =
  'The page that asks for your permission stopped working, so its question was denied. The next question reopens it.';

export type GivenAnswer = ParsedInputOf<typeof consent.answer>;

export interface ConsentQueueOptions {
  /** Questions of a conversation (`null`: of none) that are still queued elsewhere (see `QuestionQueues`). */
  readonly waitingElsewhere: (conversationId: string | null) => number;
  readonly theme: () => ConsentState['theme'];
  readonly titleOf: (conversationId: string) => string | null;
  /** It is called on every change of `state()`, `shown` and `pending`. */
  readonly onChange: () => void;
  /** Whether the user pressed something at the question since then that can mean yes (see `Desktop`). */
  readonly takePress: (since: number, isGrave: boolean) => boolean;
  /** A monotonic time in milliseconds. */
  readonly now?: () => number;
}

interface Waiting {
  readonly question: ConsentQuestion;
  card: ConsentCard | undefined;
  isSlow: boolean;
  isPutOff: boolean;
  isEnlarged: boolean;
  /** The time at which the surface first got the card since it was loaded or moved. */
  shownAt: number | undefined;
  readonly answer: (answer: ConsentAnswer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The questions to the user at the window, one card at a time. A conversation's question is shown with that
 * conversation; one without a conversation is shown immediately and first. The queue lives here, so that a reloaded
 * page shows the same card. Source: design section 4.
 */
export class ConsentQueue implements ConsentPort {
  readonly asksTogether = true;
  readonly #options: ConsentQueueOptions;
  readonly #questions: Waiting[] = [];
  readonly #now: () => number;
  readonly #lastYes = new LastYes();
  #isSurfaceListening = false;
  /** The conversation whose composer is visible. */
  #conversation: string | null = null;
  #hasRoomToDock = true;
  #appearance = 0;

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
        isPutOff: false,
        isEnlarged: false,
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

  /** The open questions by conversation, including those that are not shown. */
  get pending(): readonly PendingQuestions[] {
    const ids = new Set(this.#questions.map(({ question }) => question.conversationId));
    return [...ids].map((conversationId) => {
      const own = this.#of(conversationId);
      const isPutOff = own[0]?.isPutOff ?? false;
      return { conversationId, count: own.length + this.#options.waitingElsewhere(conversationId), isPutOff };
    });
  }

  /** The number of all open questions. */
  get count(): number {
    return this.pending.reduce((sum, { count }) => sum + count, 0);
  }

  /** What the surface should show now. */
  get shown(): ShownQuestion | null {
    const shown = this.#shown();
    if (shown === undefined) return null;
    const { question } = shown;
    return { id: question.id, isDocked: this.#sizeOf(shown) === 'docked', isOfUser: isOfUser(question) };
  }

  /** Called with the conversation whose composer the chat now shows, or with null if it shows none. */
  composerShown(conversationId: string | null): void {
    if (conversationId === this.#conversation) return;
    this.#conversation = conversationId;
    this.#options.onChange();
  }

  /** The user returns to a postponed question. */
  takeUp(conversationId: string): void {
    for (const waiting of this.#of(conversationId)) waiting.isPutOff = false;
    this.#options.onChange();
  }

  /** Takes up the question of the conversation on the screen. Returns whether there was one. */
  takeUpShown(): boolean {
    const id = this.#conversation;
    if (id === null || !this.#of(id).some(({ isPutOff }) => isPutOff)) return false;
    this.takeUp(id);
    return true;
  }

  /** The surface's bounds changed, or whether it fits docked: the user has to look again. */
  surfaceMoved({ hasRoomToDock }: Pick<SurfacePlace, 'hasRoomToDock'>): void {
    this.#hasRoomToDock = hasRoomToDock;
    const shown = this.#shown();
    if (shown === undefined) return;
    shown.shownAt = undefined;
    this.#options.onChange();
  }

  /** The surface has loaded and is now listening. */
  stateAsked(): ConsentState {
    this.#isSurfaceListening = true;
    return this.state();
  }

  /** Only the surface may call this. If it is listening, its card now counts as shown. */
  state(): ConsentState {
    const shown = this.#shown();
    // A card that comes back into view has to be read again.
    for (const waiting of this.#questions) if (waiting !== shown) waiting.shownAt = undefined;
    if (shown !== undefined && this.#isSurfaceListening && shown.shownAt === undefined) {
      shown.shownAt = this.#now();
      this.#appearance += 1;
    }
    const conversationId = shown?.question.conversationId ?? null;
    return {
      card: shown?.card ?? null,
      preparing: shown !== undefined && shown.card === undefined ? shown.question.id : null,
      waiting:
        shown === undefined ? 0 : this.#of(conversationId).length - 1 + this.#options.waitingElsewhere(conversationId),
      size: shown === undefined ? 'docked' : this.#sizeOf(shown),
      appearance: this.#appearance,
      isOfCall: shown !== undefined && isOfCall(shown.question),
      theme: this.#options.theme(),
    };
  }

  /** The surface's page is gone or reloading: it shows nothing until it asks. */
  surfaceLeft(): void {
    this.#isSurfaceListening = false;
    for (const waiting of this.#questions) waiting.shownAt = undefined;
  }

  /** The surface's page died, so its current and next questions can't be answered. Returns whether there were any. */
  surfaceEnded(): boolean {
    this.surfaceLeft();
    const ended = [...this.#questions];
    for (const { answer } of ended) answer({ answer: 'deny', by: 'default', reason: { code: 'consent_page_ended' } });
    return ended.length > 0;
  }

  /**
   * Accepts an answer for the card that is shown. Throws `IpcError` (`not_shown`, `too_early`, `bad_input`,
   * `not_pressed`).
   */
  answer(given: GivenAnswer): void {
    const shown = this.#shownAs(given.id);
    if (!wasWritten(given) && this.#now() - shown.shownAt < ANSWER_NOT_BEFORE_MS)
      throw new IpcError('too_early', 'The question had only just appeared. Read it, then answer.');
    if (shown.waiting.card === undefined && given.answer !== 'deny')
      throw new IpcError('not_shown', 'This question is not fully shown yet. You can only deny it.');
    const answer = answerTo(shown.waiting.question, given);
    if (answer === undefined)
      throw new IpcError('bad_input', 'consent.answer: offer or calls do not match what was shown.');
    const { question, card } = shown.waiting;
    const since = shown.shownAt + ANSWER_NOT_BEFORE_MS;
    const isGrave = question.risk === 'grave';
    if (answer.answer === 'allow' && !this.#options.takePress(since, isGrave))
      throw new IpcError('not_pressed', 'Nothing was pressed in the question. Look at it, then answer.');
    if (answer.answer === 'allow' && card !== undefined) this.#lastYes.allowed(question, card);
    shown.waiting.answer(answer);
  }

  /** Throws `IpcError` (`not_shown`). */
  putOff(id: string): void {
    const { waiting } = this.#shownAs(id);
    if (!isOfCall(waiting.question)) throw notShown();
    waiting.isPutOff = true;
    this.#options.onChange();
  }

  /** The conversation whose turn is asking. Throws `IpcError` (`not_shown`). */
  conversationOf(id: string): string {
    const { conversationId } = this.#shownAs(id).waiting.question;
    if (conversationId === null) throw notShown();
    return conversationId;
  }

  /** Throws `IpcError` (`not_shown`). */
  enlarge(id: string, isEnlarged: boolean): void {
    this.#shownAs(id).waiting.isEnlarged = isEnlarged;
    this.#options.onChange();
  }

  #of(conversationId: string | null): readonly Waiting[] {
    return this.#questions.filter(({ question }) => question.conversationId === conversationId);
  }

  /** Questions about something the user has just requested come first. */
  #first(conversationId: string | null): Waiting | undefined {
    const own = this.#of(conversationId).filter(({ isPutOff }) => !isPutOff);
    return own.find(({ question }) => !isOfCall(question)) ?? own[0];
  }

  #shown(): Waiting | undefined {
    const conversation = this.#conversation;
    const candidates = [this.#first(null), conversation === null ? undefined : this.#first(conversation)];
    return candidates.find((each) => each !== undefined && (each.card !== undefined || each.isSlow));
  }

  /** Throws `IpcError` (`not_shown`) if another question or none is shown. */
  #shownAs(id: string): { readonly waiting: Waiting; readonly shownAt: number } {
    const waiting = this.#shown();
    if (waiting === undefined || waiting.shownAt === undefined || waiting.question.id !== id) throw notShown();
    return { waiting, shownAt: waiting.shownAt };
  }

  #sizeOf({ question, isEnlarged }: Waiting): ConsentSize {
    if (question.conversationId === null || !this.#hasRoomToDock) return 'sheet';
    return isEnlarged ? 'enlarged' : 'docked';
  }

  async #draw(waiting: Waiting): Promise<void> {
    const { question } = waiting;
    try {
      const title = question.conversationId === null ? null : this.#options.titleOf(question.conversationId);
      const card = await this.#lastYes.marked(question, await consentCard(question, title));
      if (!this.#questions.includes(waiting)) return;
      waiting.card = card;
      // The question can be read only from now on.
      waiting.shownAt = undefined;
      this.#options.onChange();
    } catch (error) {
      // A question that can't be shown can't be answered.
      if (this.#questions.includes(waiting)) waiting.fail(error);
    }
  }
}

/** Who has written a word has seen the question: that it grew as the field opened need not be waited for. */
function wasWritten(given: GivenAnswer): boolean {
  return given.answer === 'deny' && given.word !== '';
}

function notShown(): IpcError {
  return new IpcError('not_shown', 'This question is no longer open. Nothing was answered.');
}
