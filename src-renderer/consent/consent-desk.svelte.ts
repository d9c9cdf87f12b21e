import type { ConsentCard, ConsentState } from '../../src-preload/contract/consent.ts';
import type { KeptFor } from '../../src-preload/contract/decision-reason.ts';
import { type Bridge, type RouteInput, sentenceOf } from '../ui/bridge.ts';
import { AnswerGuard } from './answer-guard.svelte.ts';

type Answer = RouteInput<'consent', 'consent.answer'>;

/** What an answer is once its card is known. */
type Reply = Answer extends infer A ? (A extends { readonly id: string } ? Omit<A, 'id'> : never) : never;

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
}

/** The one card in front of the person, and the only place from which an answer goes out. */
export class ConsentDesk {
  card = $state.raw<ConsentCard | null>(null);
  /** Id of a question that cannot be read yet, and only be denied. */
  preparing = $state<string | null>(null);
  /** What the card asks has been in view, all of it. */
  isRead = $state(false);
  waiting = $state(0);
  size = $state<ConsentState['size']>('docked');
  /** It is a tool call's: it may be put off, and the turn be stopped. */
  isOfCall = $state(false);
  /** Keys come here, and not to the chat. */
  isEntered = $state(false);
  theme = $state<ConsentState['theme']>('system');
  /** What stands open below the card: nothing, the rules that could be kept, or the field for a word. */
  panel = $state<'none' | 'rules' | 'word'>('none');
  /** Index of the chosen rule. */
  offer = $state(0);
  word = $state('');
  /** The command gets the variables that are withheld from others, this once. */
  passesVariables = $state(false);
  /** Of like calls: whether each is to be allowed. */
  ticks = $state<readonly boolean[]>([]);
  /** The keys for a yes were pressed where they do not say it: the button that does has the focus. */
  isArmed = $state(false);
  isSending = $state(false);
  failure = $state<string | null>(null);
  readonly guard: AnswerGuard;
  readonly #bridge: Bridge<'consent'>;
  #appearance = 0;

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

  /** Of the question that is shown. */
  get #id(): string | null {
    return this.card?.id ?? this.preparing;
  }

  /** Whether a no shows as enabled; whether the present press counts is decided when it answers. */
  get canAnswer(): boolean {
    return this.#id !== null && this.guard.isOpen && !this.isSending;
  }

  /** Whether a yes does: nobody agrees to what they have not had in front of them. */
  get canAllow(): boolean {
    return this.card !== null && this.isRead && this.canAnswer && (this.ticks.length === 0 || this.ticked.length > 0);
  }

  /** Indices of the like calls that a yes would allow. */
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

  /** A yes would bring about something that nobody should agree to in passing: it takes its own button. */
  get isGrave(): boolean {
    return this.card?.risk === 'grave';
  }

  /** Laying the card out took so long that the guard would open with it. */
  cardDrawnLate(): void {
    this.guard.cardAppeared();
  }

  get mayKeepRule(): boolean {
    // What is passed is passed this once: no rule would do it again.
    const isForAll = this.ticked.length === this.ticks.length;
    return this.card !== null && this.card.offers.length > 0 && !this.passesVariables && isForAll;
  }

  /** The chosen rule, for so long. */
  mayKeepFor(duration: KeptFor): boolean {
    return this.card?.offers[this.offer]?.keepFor.includes(duration) ?? false;
  }

  /** There is nothing to choose: the one rule is for the host of the one address. */
  get mayAllowHost(): boolean {
    return this.card?.isAddress === true && this.card.offers.length === 1 && this.mayKeepFor('conversation');
  }

  /** Files of which a yes may say that the person has looked at them. */
  get reviews(): number {
    return this.card?.reviews ?? 0;
  }

  get mayTakeWord(): boolean {
    return this.card?.takesWord ?? false;
  }

  allowOnce(): Promise<void> {
    const passing = this.passesVariables ? { passesVariables: true } : {};
    return this.#answer({ answer: 'once', ...passing, ...(this.ticks.length === 0 ? {} : { calls: this.ticked }) });
  }

  /** And no such question until the window is closed. */
  allowUntilClosed(): Promise<void> {
    return this.#answer({ answer: 'window' });
  }

  /** Yes, and the person has looked at the files that are shown. */
  reviewed(): Promise<void> {
    return this.#answer({ answer: 'reviewed' });
  }

  allowForConversation(): Promise<void> {
    return this.#keepRule('conversation');
  }

  allowAlways(): Promise<void> {
    return this.#keepRule('always');
  }

  deny(): Promise<void> {
    return this.#answer({ answer: 'deny', word: '' });
  }

  denyWithWord(): Promise<void> {
    return this.#answer({ answer: 'deny', word: this.word.trim() });
  }

  /** The question waits until the person comes back to it. */
  putOff(): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.putOff', { id }));
  }

  /** Stops the turn that asks. */
  stop(): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.stop', { id }));
  }

  /** Over the whole window, or docked again. */
  enlarge(isEnlarged: boolean): Promise<void> {
    return this.#send((id) => this.#bridge.request('consent.enlarge', { id, isEnlarged }));
  }

  /** So high is the question when nothing of it scrolls, in CSS pixels. */
  measured(height: number): void {
    const id = this.#id;
    // Main places it in some other way then.
    if (id !== null) this.#bridge.request('consent.measured', { id, height }).catch(() => undefined);
  }

  setPassesVariables(isPassed: boolean): void {
    this.passesVariables = isPassed;
    if (this.panel === 'rules') this.panel = 'none';
  }

  togglePanel(panel: 'rules' | 'word'): void {
    this.panel = this.panel === panel ? 'none' : panel;
  }

  /** Takes the shortcuts: Ctrl+Enter (⌘ too) and Escape. `true`: the key was one of them. */
  keyPressed({ key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing }: KeyPress): boolean {
    if (this.#id === null || isComposing || altKey || shiftKey) return false;
    if (key === 'Enter' && (ctrlKey || metaKey)) {
      if (repeat) return true;
      if (this.panel === 'none' && this.isGrave) this.isArmed = this.canAllow;
      else if (this.panel === 'none') void (this.card?.kind === 'review' ? this.reviewed() : this.allowOnce());
      else if (this.panel === 'word') void this.denyWithWord();
      return true;
    }
    if (key === 'Escape' && !ctrlKey && !metaKey) {
      if (repeat) return true;
      if (this.panel !== 'none') this.panel = 'none';
      else void this.deny();
      return true;
    }
    return false;
  }

  #keepRule(answer: KeptFor): Promise<void> {
    if (!this.mayKeepRule || !this.mayKeepFor(answer)) return Promise.resolve();
    return this.#answer({ answer, offer: this.offer });
  }

  async #answer(reply: Reply): Promise<void> {
    if (reply.answer !== 'deny' && !this.canAllow) return;
    await this.#send((id) => this.#bridge.request('consent.answer', { ...reply, id }));
  }

  /** What a person decides about the question that is shown. */
  async #send(request: (id: string) => Promise<ConsentState>): Promise<void> {
    const id = this.#id;
    if (id === null || !this.canAnswer || !this.guard.accepts()) return;
    this.isSending = true;
    this.failure = null;
    try {
      this.#show(await request(id));
    } catch (error) {
      await this.#refresh();
      this.failure = `Your answer could not be delivered. ${sentenceOf(error)}`;
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
    this.card = card;
    this.preparing = preparing;
    this.isRead = false;
    this.panel = 'none';
    this.offer = 0;
    this.word = '';
    this.passesVariables = false;
    this.ticks = (card?.calls ?? []).map(() => true);
    this.isArmed = false;
    this.failure = null;
    if (this.#id === null) this.guard.cardVanished();
    else this.guard.cardAppeared();
  }
}
