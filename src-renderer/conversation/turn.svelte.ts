import type { ConversationEvent, EventOf, LiveEvent, LogEvent } from '../../src-preload/contract/events.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import { serverRequestText } from '../../src-preload/contract/server-request.ts';
import { type Item, type NoticeItem, TextItem, ThinkingItem, ToolItem } from './items.svelte.ts';
import { type TurnUsage, withRequest } from './turn-usage.ts';

/** Notices of what is missing, by their code. */
const NOTICE_REMEDIES: Readonly<Record<string, readonly Remedy[]>> = {
  tool_needs_key: [{ kind: 'settings', section: 'models' }],
  tool_needs_account: [{ kind: 'settings', section: 'accounts' }],
  asked_model_unreachable: [{ kind: 'settings', section: 'models' }],
  tool_switched_off: [{ kind: 'settings', section: 'tools' }],
};

/** An event about calls of any turn; it is not part of an answer. */
export type LaterEvent = EventOf<'mail' | 'changes' | 'undo' | 'redo'>;

export function isLater<E extends ConversationEvent>(event: E): event is E & LaterEvent {
  return event.type === 'mail' || event.type === 'changes' || event.type === 'undo' || event.type === 'redo';
}

/** One turn as shown: what the user sent, and everything that followed. */
export class TurnView {
  readonly id: string;
  readonly at: string;
  readonly firstSeq: number;
  lastSeq: number;
  /** Null if the turn answers an earlier message again. */
  message: (EventOf<'user_message'> & Pick<LogEvent, 'seq'>) | null = $state.raw(null);
  items: Item[] = $state([]);
  usage: TurnUsage | null = $state.raw(null);
  stopReason: string | null = $state(null);
  /** A later turn answered the same message again. */
  isSuperseded = $state(false);
  readonly isEnded: boolean = $derived(this.stopReason !== null);
  readonly #tools = new Map<string, ToolItem>();
  #text: TextItem | null = null;
  #thinking: ThinkingItem | null = null;
  /** Shown only while a request to the model is being retried. */
  #retryingKey: string | null = null;
  #count = 0;
  #wasStopped = $state(false);

  constructor(id: string, at: string, seq: number) {
    this.id = id;
    this.at = at;
    this.firstSeq = seq;
    this.lastSeq = seq;
  }

  /** Answered by Steward itself: there is no model to ask again. */
  get isCommand(): boolean {
    return this.message?.isCommand === true;
  }

  /** The process that ran it has ended, so nothing more will arrive. */
  get wasCutOff(): boolean {
    return this.stopReason === 'interrupted' && !this.#wasStopped;
  }

  /** Whether the turn has ended, so that a model can be asked again. */
  get canBeRetried(): boolean {
    return (
      this.isEnded &&
      !this.isCommand &&
      !this.#isOnlySummary &&
      !this.items.some((item) => item.kind === 'tool' && item.isOwnCall)
    );
  }

  /** The user had older messages summarised: there was no message and no answer. */
  get #isOnlySummary(): boolean {
    return this.message === null && this.items.length > 0 && this.items.every(({ kind }) => kind === 'summary');
  }

  /** Calls whose file changes can be undone. */
  get undoable(): readonly ToolItem[] {
    return this.calls.filter((call) => call.canBeUndone);
  }

  /** All calls, those of asked models after the call that asked. */
  get calls(): readonly ToolItem[] {
    return this.items.flatMap((item) => (item.kind === 'tool' ? [item, ...item.inside] : []));
  }

  get failed(): boolean {
    return this.stopReason === 'error' || this.stopReason === 'interrupted';
  }

  apply(event: LogEvent): void {
    this.lastSeq = event.seq;
    if (!isRetrying(event)) this.#endRetrying();
    switch (event.type) {
      case 'user_message':
        this.message = event;
        break;
      case 'round_start':
        this.#endLive();
        break;
      case 'text_delta':
        this.#liveText(event.seq).append(event.text);
        break;
      case 'block':
        this.#applyBlock(event);
        break;
      case 'tool_call':
        this.#tool(event.id, event.inside).called(event);
        break;
      case 'decision':
        this.#tool(event.id).decided(event, event.at);
        break;
      case 'tool_result':
        this.#tool(event.id).returned(event);
        break;
      case 'usage':
        this.usage = withRequest(this.usage, event);
        break;
      case 'notice':
        // The summary itself says it.
        if (event.code !== 'compacted') this.#addNotice(event, NOTICE_REMEDIES[event.code] ?? []);
        break;
      case 'server_request':
        this.#addNotice({ type: 'notice', code: 'server_request', message: serverRequestText(event) }, []);
        break;
      case 'error':
        this.#addNotice(event, event.remedies ?? []);
        break;
      case 'compaction':
        this.#add({ kind: 'summary', key: this.#nextKey(), text: event.summary, replaced: event.replaced ?? null });
        break;
      case 'turn_end':
        this.end(event.stopReason, event.wasStopped);
        break;
      default:
        break;
    }
  }

  /** Shows an event that is not stored. It is gone when the turn is opened again. */
  show(event: LiveEvent): void {
    this.#endRetrying();
    if (event.type === 'tool_output') this.#tools.get(event.id)?.printed(event.chunk);
    else this.#liveThinking().append(event.text);
  }

  /** Notes what became of an earlier call, which can happen long after it. */
  applyLater(event: LaterEvent): void {
    switch (event.type) {
      case 'mail': {
        const item = this.#tools.get(event.id);
        if (item !== undefined) item.mail = event;
        break;
      }
      case 'changes': {
        const item = this.#tools.get(event.id);
        if (item !== undefined) item.changes = event;
        break;
      }
      case 'undo':
        for (const id of event.calls) this.#tools.get(id)?.undone(event.paths, event.partly?.includes(id) === true);
        break;
      case 'redo':
        for (const id of event.calls) this.#tools.get(id)?.redone();
        break;
    }
  }

  end(stopReason: string, wasStopped = false): void {
    this.#endRetrying();
    this.#endLive();
    this.#wasStopped = wasStopped;
    this.stopReason = stopReason;
  }

  /** The turn was believed dead, but another process is continuing it. */
  reopen(): void {
    this.stopReason = null;
  }

  #applyBlock({ block, words, seq }: EventOf<'block'> & Pick<LogEvent, 'seq'>): void {
    switch (block.type) {
      case 'text':
        this.#liveText(seq).complete(block.text);
        this.#text = null;
        break;
      case 'thinking':
        this.#liveThinking().complete(block.thinking);
        this.#thinking = null;
        break;
      case 'tool_use':
        this.#tool(block.id).announced({ ...block, ...(words === undefined ? {} : { words }) });
        break;
      default:
        break;
    }
  }

  /**
   * Interrupted text stays. Reasoning that was not stored is removed, as it would be when the conversation is opened
   * again.
   */
  #endLive(): void {
    this.#text?.complete(this.#text.text);
    this.#text = null;
    if (this.#thinking !== null) this.items.splice(this.items.indexOf(this.#thinking), 1);
    this.#thinking = null;
  }

  /** If the last attempt fails too, an error says why. */
  #endRetrying(): void {
    if (this.#retryingKey === null) return;
    this.items = this.items.filter(({ key }) => key !== this.#retryingKey);
    this.#retryingKey = null;
  }

  #addNotice(event: EventOf<'notice' | 'error'>, remedies: readonly Remedy[]): void {
    const { type: kind, code, message } = event;
    const index = this.items.findIndex(({ key }) => key === this.#retryingKey);
    const key = this.#retryingKey ?? this.#nextKey();
    if (isRetrying(event)) this.#retryingKey = key;
    const until = event.type === 'notice' && event.until !== undefined ? { until: Date.parse(event.until) } : {};
    const item: NoticeItem = { kind, key, code, message, remedies, ...until };
    if (index === -1) this.#add(item);
    else this.items[index] = item;
  }

  #liveText(seq: number): TextItem {
    this.#text ??= this.#add(new TextItem(this.#nextKey()));
    this.#text.seq = seq;
    return this.#text;
  }

  #liveThinking(): ThinkingItem {
    this.#thinking ??= this.#add(new ThinkingItem(this.#nextKey()));
    return this.#thinking;
  }

  /** `inside` is the call whose model made this one. */
  #tool(id: string, inside?: string): ToolItem {
    const there = this.#tools.get(id);
    if (there !== undefined) return there;
    const item = new ToolItem(this.#nextKey(), id, this);
    const outer = inside === undefined ? undefined : this.#tools.get(inside);
    if (outer === undefined) this.#add(item);
    else outer.inside.push(item);
    this.#tools.set(id, item);
    return item;
  }

  #add<I extends Item>(item: I): I {
    this.items.push(item);
    return item;
  }

  #nextKey(): string {
    this.#count += 1;
    return `${this.id}.${this.#count}`;
  }
}

/** A request to the model failed and is being retried. */
function isRetrying(event: ConversationEvent): boolean {
  return event.type === 'notice' && event.code === 'retrying';
}
