import type { PendingQuestions } from '../../src-preload/contract/consent.ts';
import type { Attachment, ShownChange } from '../../src-preload/contract/conversations.ts';
import type { ModelQuestion } from '../../src-preload/contract/desktop-tools.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { UsageRow } from '../../src-preload/contract/usage.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';
import { AttachedResources } from './attached-resources.svelte.ts';
import { NextContextWindow } from './context-window.svelte.ts';
import { ConversationStore } from './conversation.svelte.ts';
import type { ToolItem } from './items.svelte.ts';
import { LeftRunningPrograms } from './left-running.svelte.ts';
import { ModelQuestions } from './model-questions.svelte.ts';
import { Outbox } from './outbox.ts';
import { ConversationPrograms } from './programs.svelte.ts';
import { ReadingPlaces } from './reading-places.ts';
import { ServerContentRequests } from './server-content.ts';
import type { TurnView } from './turn.svelte.ts';
import { redoResultText, undoResultText } from './undo-text.ts';

/** Conversations kept in memory beside those that are being answered, so that going back and forth is instant. */
const KEPT = 4;

/** A message that the reader wants to see. */
export interface Target {
  readonly seq: number;
  /** What a search found in it. */
  readonly spellings: readonly string[];
}

/** Which conversation is open, and what the user does with it. */
export class ChatSession {
  /** Something was written since the window opened. */
  hasBegun = false;
  open: ConversationStore | null = $state.raw(null);
  /** The place in the conversation to go to once it is loaded. */
  target: Target | null = $state.raw(null);
  readonly modelQuestions: ModelQuestions;
  /** What waits for an answer in the consent surface. */
  questions: readonly PendingQuestions[] = $state.raw([]);
  /** Questions of both kinds that wait for the user. */
  readonly waiting: readonly PendingQuestions[] = $derived.by(() =>
    waitingQuestions(this.questions, this.modelQuestions.open),
  );
  /** Escape was pressed outside the question in view: the composer says what to do instead. */
  hasPressedEscape = $state(false);
  /** How much of the room above the composer that covers, in CSS pixels. */
  dockedHeight = $state(0);
  /** Files that were changed after text from outside was read, and wait to be looked at. */
  unreviewedFiles = $state(0);
  /**
   * Whether the user opened or closed the pinned to-do list. Null if they did neither, and then it is open where there
   * is room.
   */
  areTodosShown: boolean | null = $state(null);
  readonly readingPlaces: ReadingPlaces;
  readonly leftRunning: LeftRunningPrograms;
  readonly outbox: Outbox;
  /** Programs that brought tools to the open conversation. */
  readonly programs: ConversationPrograms;
  /** Resources and prompts of MCP servers. */
  readonly content: ServerContentRequests;
  readonly contextWindow: NextContextWindow;
  /** The resources attached to the message that is being written. */
  readonly attached: AttachedResources;
  readonly #bridge: Bridge;
  readonly #stores = new Map<string, ConversationStore>();
  #wanted: string | null = null;

  constructor(bridge: Bridge, readingPlaces = new ReadingPlaces()) {
    this.#bridge = bridge;
    this.readingPlaces = readingPlaces;
    this.leftRunning = new LeftRunningPrograms(bridge);
    this.outbox = new Outbox(bridge);
    this.programs = new ConversationPrograms(bridge);
    this.modelQuestions = new ModelQuestions(bridge);
    this.content = new ServerContentRequests(bridge);
    this.contextWindow = new NextContextWindow(bridge);
    this.attached = new AttachedResources(bridge);
  }

  isWaiting(id: string): boolean {
    return this.waiting.some(({ conversationId }) => conversationId === id);
  }

  /** A question of the open conversation is in view. */
  get isAsking(): boolean {
    return this.questions.find(({ conversationId }) => conversationId === this.open?.id)?.isPutOff === false;
  }

  /** The model's question that the message field answers. */
  get asked(): ModelQuestion | undefined {
    return this.open === null ? undefined : this.modelQuestions.of(this.open.id)[0];
  }

  questionsChanged(pending: readonly PendingQuestions[]): void {
    this.questions = pending;
    this.#forgetEscape();
  }

  modelQuestionsChanged(event: AppEvents['modelQuestions']): void {
    this.modelQuestions.told(event);
    this.#forgetEscape();
  }

  /** Stops the answer, but not while it asks something: in the question, Escape means no. */
  escapePressed(): void {
    if (this.isAsking || this.asked !== undefined) this.hasPressedEscape = true;
    else if (this.open?.isAnswering === true) void this.stop();
  }

  /**
   * The composer of the open conversation is on the screen and this high, in CSS pixels, or null if it is not on the
   * screen. `room` is what is left for messages and a question.
   */
  composerShown(height: number | null, room?: number): void {
    const conversationId = height === null ? null : (this.open?.id ?? null);
    void reported(
      this.#bridge.request('app.composer', {
        conversationId,
        height: height ?? 0,
        ...(room === undefined ? {} : { room }),
      }),
    );
  }

  /**
   * Whether the message field is empty and nothing else in the page wants the keys: then a question may take the
   * keyboard.
   */
  messageField(isFree: boolean): void {
    void reported(this.#bridge.request('app.messageField', { isFree }));
  }

  /** Shows the question that the user had put off. */
  takeUpQuestion(conversationId: string): void {
    void reported(this.#bridge.request('app.takeUpQuestion', { conversationId }));
  }

  newConversation(): void {
    this.#wanted = null;
    this.open = null;
    this.target = null;
  }

  async select(id: string, target: Target | null = null): Promise<void> {
    this.#wanted = id;
    const known = this.#stores.get(id);
    const store = known ?? new ConversationStore(id);
    this.#keep(store);
    this.target = target;
    if (target !== null) this.readingPlaces.delete(id);
    if (known?.isLoaded) {
      this.open = known;
      return;
    }
    if (known !== undefined) return;
    const opened = await reported(this.#bridge.request('conversations.open', { id }));
    if (opened === undefined) {
      this.#stores.delete(id);
      return;
    }
    store.load(opened.conversation, opened.events);
    if (this.#wanted === id) this.open = store;
  }

  /** Resolves with the conversation that the message is in, or with null if main did not take it. */
  async send(text: string, attachments: Attachment[]): Promise<string | null> {
    const id = this.open?.id ?? null;
    const sent = await reported(this.#bridge.request('conversations.send', { id, text, attachments }), 'send');
    if (sent === undefined) return null;
    // Unless the reader went elsewhere meanwhile, what was sent is what they want to see.
    if (this.#wanted === id) await this.select(sent.id);
    return sent.id;
  }

  /** `undoing` is a turn whose changes of files are undone first, once the user agreed to it in the consent surface. */
  async retry(undoing: TurnView | null = null): Promise<void> {
    if (this.open === null) return;
    const request = { id: this.open.id, ...(undoing === null ? {} : { undoing: undoing.id }) };
    const result = await reported(this.#bridge.request('conversations.retry', request));
    if (result) this.#tell(undoResultText(result, this.#workspace), result.undone.length > 0);
  }

  /** What the open conversation took, by model. */
  async usage(): Promise<readonly UsageRow[] | undefined> {
    return this.open === null
      ? undefined
      : await reported(this.#bridge.request('usage.ofConversation', { id: this.open.id }));
  }

  /** Has the older messages summarised now. */
  async compact(): Promise<void> {
    if (this.open !== null) await reported(this.#bridge.request('conversations.compact', { id: this.open.id }));
  }

  /** Has a call made again that lacked a folder or a sign-in, and lacks it no longer. */
  async tryCallAgain(callId: string): Promise<void> {
    if (this.open !== null)
      await reported(this.#bridge.request('conversations.tryCallAgain', { id: this.open.id, callId }));
  }

  async stop(): Promise<void> {
    if (this.open?.isAnswering) await reported(this.#bridge.request('conversations.stop', { id: this.open.id }));
  }

  async wholeResult(callId: string): Promise<string | undefined> {
    if (this.open === null) return undefined;
    return (await reported(this.#bridge.request('conversations.wholeResult', { id: this.open.id, callId })))?.text;
  }

  /**
   * Has the files of a call, or of all calls of a turn (`call` null), put back; `paths`: only these. The user sees what
   * that changes and answers in the other surface; that it was done comes as an event. What was left is said at the
   * call, and all of it over the page. `replacesOthers`: also where somebody changed them since.
   */
  async undo(turn: TurnView, call: ToolItem | null, paths?: readonly string[], replacesOthers?: true): Promise<void> {
    if (this.open === null) return;
    const some = paths === undefined ? {} : { paths: [...paths], ...(replacesOthers && { replacesOthers }) };
    const request = { id: this.open.id, turnId: turn.id, callId: call?.id ?? null, ...some };
    const result = await reported(this.#bridge.request('conversations.undo', request));
    if (!result) return;
    if (call !== null) call.notPutBack = result.refused;
    const hasEffect = result.undone.length > 0;
    if (call === null || hasEffect) this.#tell(undoResultText(result, this.#workspace), hasEffect);
  }

  /** Has the undone changes of a call made again, or those that were undone last. Works like `undo`. */
  async redo(call: ToolItem | null): Promise<void> {
    if (this.open === null) return;
    const request = { id: this.open.id, callId: call?.id ?? null };
    const result = await reported(this.#bridge.request('conversations.redo', request));
    if (!result) return;
    if (call !== null) call.notPutBack = result.refused;
    const hasEffect = result.undone.length > 0;
    if (call === null || hasEffect) this.#tell(redoResultText(result, this.#workspace), hasEffect);
  }

  /** As typed, by the id of a call. */
  async undoOrRedo(kind: 'undo' | 'redo', callId: string): Promise<void> {
    const turn = this.open?.turns.find(({ calls }) => calls.some(({ id }) => id === callId));
    const call = turn?.calls.find(({ id }) => id === callId);
    if (turn === undefined || call === undefined) toasts.show(`There is no call ${callId} in this conversation.`);
    else if (kind === 'undo') await this.undo(turn, call);
    else await this.redo(call);
  }

  /** What a command changed in one file. */
  async changeOf(callId: string, path: string): Promise<ShownChange | undefined> {
    return this.open === null
      ? undefined
      : await reported(this.#bridge.request('conversations.changeOf', { id: this.open.id, callId, path }));
  }

  get #workspace(): string {
    return this.open?.summary?.workspace ?? '';
  }

  /** If it had an effect, the user has read in the question what would be left. */
  #tell(text: string, hasEffect: boolean): void {
    if (hasEffect) toasts.show(text);
    else toasts.fail(text);
  }

  /** Undoes the last turn of the open conversation. */
  async undoLast(): Promise<void> {
    const turn = this.open?.turns.findLast(({ undoable }) => undoable.length > 0);
    if (turn === undefined) toasts.show('There is nothing here to undo.');
    else await this.undo(turn, null);
  }

  /** Resolves when the user has answered in the other surface; what is left comes as an event. */
  async review(): Promise<void> {
    await reported(this.#bridge.request('conversations.review', {}));
  }

  /** The system's menu for the file that a call was about. */
  async fileMenu(callId: string): Promise<void> {
    if (this.open !== null)
      await reported(this.#bridge.request('conversations.fileMenu', { id: this.open.id, callId }));
  }

  /** A file of a call's result. */
  async saveFile(callId: string, part: number): Promise<void> {
    if (this.open === null) return;
    const saved = await reported(this.#bridge.request('conversations.saveFile', { id: this.open.id, callId, part }));
    if (saved) toasts.show(`Saved to ${saved.path}.`);
  }

  async export(id: string, format: 'markdown' | 'json'): Promise<string | undefined> {
    return (await reported(this.#bridge.request('conversations.export', { id, format })))?.path;
  }

  /** What came in one frame is drawn once. */
  turnEvents({ conversationId, events }: AppEvents['turn']): void {
    const store = this.#stores.get(conversationId);
    for (const event of events) {
      try {
        store?.apply(event);
      } catch (error) {
        // One that cannot be shown holds up none of the others, and is reported as what it is.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  removed(id: string): void {
    this.#stores.delete(id);
    this.readingPlaces.delete(id);
    if (this.#wanted === id) this.newConversation();
  }

  #forgetEscape(): void {
    if (!this.isAsking && this.asked === undefined) this.hasPressedEscape = false;
  }

  #keep(store: ConversationStore): void {
    this.#stores.delete(store.id);
    this.#stores.set(store.id, store);
    const idle = [...this.#stores.values()].filter(
      (other) => other.isLoaded && !other.isAnswering && other !== this.open,
    );
    for (const old of idle.slice(0, -KEPT)) this.#stores.delete(old.id);
  }
}

/** What waits for the user, by conversation: questions of the consent surface and questions of models. */
export function waitingQuestions(
  consent: readonly PendingQuestions[],
  models: readonly ModelQuestion[],
): readonly PendingQuestions[] {
  const ids = new Set([...consent, ...models].map(({ conversationId }) => conversationId));
  return [...ids].map((conversationId) => {
    const asked = consent.find((pending) => pending.conversationId === conversationId);
    const own = models.filter((question) => question.conversationId === conversationId);
    return { conversationId, count: (asked?.count ?? 0) + own.length, isPutOff: asked?.isPutOff ?? false };
  });
}
