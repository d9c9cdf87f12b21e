import type { ConsentCard, ConsentState } from '../../src-preload/contract/consent.ts';
import type { KeptFor } from '../../src-preload/contract/decision-reason.ts';
import { type EnteredValue, type FieldProblem, fieldProblem } from '../../src-preload/contract/form.ts';
import { type Bridge, RequestFailed, type RouteInput, sentenceOf } from '../ui/bridge.ts';
import { AnswerGuard } from './answer-guard.svelte.ts';
import { ReadingProgress } from './reading-progress.ts';
import { ToolReview } from './review/tool-review.svelte.ts';

type Answer = RouteInput<'consent', 'consent.answer'>;

/** An answer, once its card is known. */
type Reply = Answer extends infer A ? (A extends { readonly id: string } ? Omit<A, 'id'> : never) : never;

/** The card in front of the user. The only place that sends answers. */
export class ConsentDesk {
  card = $state.raw<ConsentCard | null>(null);
  /** Id of a question that can't be read yet and can only be denied. */
  preparing = $state<string | null>(null);
  /** Everything the card asks has been in view. */
  isRead = $state(false);
  waiting = $state(0);
  size = $state<ConsentState['size']>('docked');
  /** The question is about a tool call, so it can be postponed, and the turn can be stopped. */
  isOfCall = $state(false);
  /** This page has the keyboard, and not the chat. */
  isEntered = $state(false);
  theme = $state<ConsentState['theme']>('system');
  /** The panel open below the card: none, the rules on offer, or the feedback field. */
  panel = $state<'none' | 'rules' | 'word'>('none');
  /** The index of the chosen rule. */
  offer = $state(0);
  word = $state('');
  /** The withheld variables are passed to this command, once. */
  passesVariables = $state(false);
  /** Whether each of several similar calls is allowed. */
  ticks = $state<readonly boolean[]>([]);
  /** The values of a form's fields, in order. */
  entered = $state<readonly EnteredValue[]>([]);
  /** How often the user tried to send the form; errors are shown from the first time on. */
  attempts = $state(0);
  /** The form accepts keys: half a second has passed since it appeared. */
  isFormOpen = $state(false);
  /** What was looked at among a server's definitions, and the classes of its tools. */
  review = $state.raw<ToolReview | null>(null);
  /** The first of the two keys that allow something grave was pressed. */
  isArmed = $state(false);
  /** Why the key that allows did nothing. */
  missing = $state<'reading' | 'ticks' | null>(null);
  /** How often that key was pressed while something was still unread. */
  unreadPresses = $state(0);
  isSending = $state(false);
  failure = $state<string | null>(null);
  readonly guard: AnswerGuard;
  readonly #bridge: Bridge<'consent'>;
  #appearance = 0;
  /** What was entered in postponed forms. */
  readonly #drafts = new Map<string, readonly EnteredValue[]>();
  /** Progress by card, so that one that was put off need not be read again. */
  readonly #progress = new Map<string, ReadingProgress>();
  readonly #read = new Set<string>();

  constructor(bridge: Bridge<'consent'>, guard = new AnswerGuard()) {
    this.#bridge = bridge;
    this.guard = guard;
  }

  /** Follows main until the returned function is called. */
  start(): () => void {
    const stop = this.#bridge.on('state', (state) => this.#show(state));
    void this.#refresh();
    return stop;
  }

  /** The id of the question shown. */
  get #id(): string | null {
    return this.card?.id ?? this.preparing;
  }

  /** Whether Deny is enabled; whether the current press counts is decided when answering. */
  get canAnswer(): boolean {
    return this.#id !== null && this.guard.isOpen && !this.isSending;
  }

  /** Whether Allow is enabled: everything must have been in view first. */
  get canAllow(): boolean {
    const isRead = this.isRead && (this.review?.missing ?? null) === null;
    return this.card !== null && isRead && this.canAnswer && (this.ticks.length === 0 || this.ticked.length > 0);
  }

  /** Indices of the similar calls that would be allowed. */
  get ticked(): number[] {
    return this.ticks.flatMap((isTicked, index) => (isTicked ? [index] : []));
  }

  isTicked(index: number): boolean {
    return this.ticks[index] ?? false;
  }

  tick(index: number, isTicked: boolean): void {
    this.ticks = this.ticks.map((each, at) => (at === index ? isTicked : each));
    if (this.panel === 'rules') this.panel = 'none';
  }

  /** Allowing would have grave consequences, so there is no primary button, and no single key for it. */
  get isGrave(): boolean {
    return this.card?.risk === 'grave';
  }

  /** What of this card has been in view, also before it was put off. */
  progressOf(id: string): ReadingProgress {
    const progress = this.#progress.get(id) ?? new ReadingProgress();
    this.#progress.set(id, progress);
    return progress;
  }

  /** Layout took so long that the guard would open as the card appears. */
  cardDrawnLate(): void {
    this.guard.cardAppeared();
  }

  get mayKeepRule(): boolean {
    // Variables are passed only once: no rule would pass them again.
    const isForAll = this.ticked.length === this.ticks.length;
    return this.card !== null && this.card.offers.length > 0 && !this.passesVariables && isForAll;
  }

  /** Adds the chosen rule for the given time. */
  mayKeepFor(duration: KeptFor): boolean {
    return this.card?.offers[this.offer]?.keepFor.includes(duration) ?? false;
  }

  /** Whether the only rule covers the host of the only address, so that there is nothing to choose. */
  get mayAllowHost(): boolean {
    return this.card?.isAddress === true && this.card.offers.length === 1 && this.mayKeepFor('conversation');
  }

  /** The number of files that the answer can mark as reviewed. */
  get reviews(): number {
    return this.card?.reviews ?? 0;
  }

  get mayTakeWord(): boolean {
    return this.card?.takesWord ?? false;
  }

  get hasForm(): boolean {
    return this.card?.fields !== undefined;
  }

  enter(index: number, value: EnteredValue): void {
    this.entered = this.entered.map((each, at) => (at === index ? value : each));
    if (this.card !== null) this.#drafts.set(this.card.id, this.entered);
  }

  /** `null` if this field is valid, or sending was not tried yet. */
  problemOf(index: number): FieldProblem | null {
    const field = this.card?.fields?.[index];
    const value = this.entered[index];
    return this.attempts === 0 || field === undefined || value === undefined ? null : fieldProblem(field.rules, value);
  }

  /** Index of the first invalid field; -1 if there is none. */
  get firstProblem(): number {
    return this.entered.findIndex((_, index) => this.problemOf(index) !== null);
  }

  /** Sends the form if it is valid. */
  async acceptForm(): Promise<void> {
    if (!this.canAllow || !this.guard.accepts()) return;
    this.attempts += 1;
    if (this.firstProblem !== -1) return;
    await this.#answer({
      answer: 'form',
      entered: this.entered.map((value) => (typeof value === 'object' ? [...value] : value)),
    });
  }

  /** Closes a form without accepting or declining it. */
  cancel(): Promise<void> {
    return this.#answer({ answer: 'cancel' });
  }

  /** Accepts, also for this server in the rest of the conversation. */
  allowServer(): Promise<void> {
    return this.#answer({ answer: 'server' });
  }

  allowOnce(): Promise<void> {
    if (this.hasForm) return this.acceptForm();
    const passing = this.passesVariables ? { passesVariables: true } : {};
    const calls = this.ticks.length === 0 ? {} : { calls: this.ticked };
    const chosen = this.review?.given ?? [];
    return this.#answer({
      answer: 'once',
      ...passing,
      ...calls,
      ...(chosen.length === 0 ? {} : { classes: [...chosen] }),
    });
  }

  /** Allows, and also stops such questions until the window is closed. */
  allowUntilClosed(): Promise<void> {
    return this.#answer({ answer: 'window' });
  }

  /** Allows it and marks the files shown as reviewed. */
  reviewed(): Promise<void> {
    return this.#answer({ answer: 'reviewed' });
  }

  allowForConversation(): Promise<void> {
    return this.#keepRule('conversation');
  }

  allowForWeek(): Promise<void> {
    return this.#keepRule('week');
  }

  allowAlways(): Promise<void> {
    return this.#keepRule('always');
  }

  deny(): Promise<void> {
    return this.#answer({ answer: 'deny', word: '' });
  }

  /** Who has written in the panel has seen the question: its growth, as the panel opened, need not be waited for. */
  denyWithWord(): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.answer', { answer: 'deny', word: this.word.trim(), id }), {
      isGuarded: this.word === '',
    });
  }

  /** The question waits until the user comes back to it. */
  putOff(): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.putOff', { id }));
  }

  /** Stops the turn that asks. */
  stop(): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.stop', { id }));
  }

  /** Enlarges the question to the whole window, or docks it again. */
  enlarge(isEnlarged: boolean): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.enlarge', { id, isEnlarged }));
  }

  /** The height of the question without scrolling, in CSS pixels. */
  measured(height: number): void {
    const id = this.#id;
    // If this fails, main falls back to another placement.
    if (id !== null) this.#bridge.request('consent.measured', { id, height }).catch(() => undefined);
  }

  setPassesVariables(isPassed: boolean): void {
    this.passesVariables = isPassed;
    if (this.panel === 'rules') this.panel = 'none';
  }

  togglePanel(panel: 'rules' | 'word'): void {
    this.panel = this.panel === panel ? 'none' : panel;
  }

  #keepRule(answer: KeptFor): Promise<void> {
    if (!this.mayKeepRule || !this.mayKeepFor(answer)) return Promise.resolve();
    return this.#answer({ answer, offer: this.offer });
  }

  async #answer(reply: Reply): Promise<void> {
    if (reply.answer !== 'deny' && reply.answer !== 'cancel' && !this.canAllow) return;
    await this.#send((id) => this.#bridge.request('consent.answer', { ...reply, id }));
  }

  /** Sends the user's decision about the question shown. */
  async #send(request: (id: string) => Promise<ConsentState>, { isGuarded } = { isGuarded: true }): Promise<void> {
    const id = this.#id;
    if (id === null || this.isSending) return;
    if (isGuarded && !(this.guard.isOpen && this.guard.accepts())) return;
    this.isSending = true;
    this.failure = null;
    try {
      this.#show(await request(id));
    } catch (error) {
      await this.#refresh();
      // The question was answered or withdrawn meanwhile, and nothing of that belongs on the next one.
      const isTaken = error instanceof RequestFailed && error.code === 'not_shown' && this.#id !== id;
      if (!isTaken) this.failure = `Your answer could not be delivered. ${sentenceOf(error)}`;
    } finally {
      this.isSending = false;
    }
  }

  async #refresh(): Promise<void> {
    try {
      this.#show(await this.#bridge.request('consent.state', {}));
    } catch (error) {
      this.failure = `The question can’t be shown. ${sentenceOf(error)}`;
    }
  }

  #show({ card, preparing, waiting, theme, size, appearance, isOfCall }: ConsentState): void {
    this.waiting = waiting;
    this.theme = theme;
    this.size = size;
    this.isOfCall = isOfCall;
    const hasMoved = appearance !== this.#appearance;
    this.#appearance = appearance;
    if (card?.id === this.card?.id && preparing === this.preparing) {
      if (hasMoved && this.#id !== null) this.guard.cardAppeared();
      return;
    }
    if (this.card !== null && this.isRead) this.#read.add(this.card.id);
    this.card = card;
    this.preparing = preparing;
    this.isRead = card !== null && (card.wasShown === true || this.#read.has(card.id));
    this.missing = null;
    this.unreadPresses = 0;
    this.panel = 'none';
    this.offer = 0;
    this.word = '';
    this.passesVariables = false;
    this.review = ToolReview.of(card?.parts ?? []);
    this.ticks = (card?.calls ?? []).map(() => true);
    this.entered = this.#drafts.get(card?.id ?? '') ?? (card?.fields ?? []).map(({ initial }) => initial);
    this.attempts = 0;
    this.isFormOpen = false;
    this.isArmed = false;
    this.failure = null;
    if (this.#id === null) this.guard.cardVanished();
    else this.guard.cardAppeared();
  }
}
