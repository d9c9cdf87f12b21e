import type { ConversationEvent, StoredEvent } from '../storage/events.ts';
import { closeInterruptedTurn, foldHistory, type History, lastOfTurns } from './history.ts';

/** Where events are committed. Implemented by storage. */
export interface EventStore {
  append(conversationId: string, turnId: string, event: ConversationEvent): StoredEvent;
  read(conversationId: string): StoredEvent[];
}

/** What happens that is worth seeing but not worth keeping. */
export type LiveEvent =
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_output'; readonly id: string; readonly chunk: string };

export type Listener = (event: StoredEvent | LiveEvent) => void;

/** The others say nothing that a model is given: a fold before and after them is the same. */
const CHANGES_HISTORY: ReadonlySet<ConversationEvent['type']> = new Set([
  'user_message',
  'text_delta',
  'block',
  'tool_call',
  'decision',
  'tool_result',
  'compaction',
  'retry',
  'undo',
  'turn_end',
]);

/** One conversation during one turn: commits an event first, then tells the listener. */
export class ConversationLog {
  readonly conversationId: string;
  readonly turnId: string;
  private readonly store: EventStore;
  private readonly listener: Listener;
  private readonly log: StoredEvent[];
  private folded: History | undefined;

  constructor(store: EventStore, conversationId: string, turnId: string, listener: Listener) {
    this.store = store;
    this.conversationId = conversationId;
    this.turnId = turnId;
    this.listener = listener;
    this.log = store.read(conversationId);
  }

  get events(): readonly StoredEvent[] {
    return this.log;
  }

  append<E extends ConversationEvent>(event: E): StoredEvent & E {
    const stored = this.store.append(this.conversationId, this.turnId, event) as StoredEvent & E;
    this.log.push(stored);
    if (CHANGES_HISTORY.has(event.type)) this.folded = undefined;
    this.listener(stored);
    return stored;
  }

  /** Ends a turn that the end of its process cut off. Nobody hears of it: it is the past. */
  closeInterruptedTurn(): void {
    const last = lastOfTurns(this.log);
    if (last === undefined) return;
    for (const event of closeInterruptedTurn(this.log)) {
      this.log.push(this.store.append(this.conversationId, last.turnId, event));
    }
    this.folded = undefined;
  }

  show(event: LiveEvent): void {
    this.listener(event);
  }

  history(): History {
    this.folded ??= foldHistory(this.log);
    return this.folded;
  }
}
