import type { ConversationEvent, EventOf, LiveEvent, Mark, StoredEvent } from '../../src-preload/contract/events.ts';
import type { OutsideArrival } from '../policy/accesses/verdict.ts';
import { eachOnce } from '../policy/mark-sources.ts';
import { withoutNested } from '../storage/conversations/nested-calls.ts';
import { lastOfTurns } from './events-in-context.ts';
import { closeInterruptedTurn, foldHistory, type History } from './history.ts';
import { AddressBook } from './known-addresses.ts';
import type { Reader } from './reader.ts';

/** Commits events. Storage implements it. */
export interface EventStore {
  /** Commits all of the events or none. */
  appendAll(conversationId: string, turnId: string, events: readonly ConversationEvent[]): StoredEvent[];
  read(conversationId: string): StoredEvent[];
}

export type Listener = (event: StoredEvent | LiveEvent) => void;

/** Other events do not change what a model is given: folding before and after them gives the same history. */
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
  'redo',
  'mail',
  'turn_end',
]);

/** One conversation during one turn: commits an event first, then tells the listener. */
export class ConversationLog {
  readonly conversationId: string;
  readonly turnId: string;
  readonly #store: EventStore;
  readonly #listener: Listener;
  readonly #log: StoredEvent[];
  #folded: (Reader & { readonly history: History }) | undefined;
  #knownMarks: readonly Mark[] | undefined;
  readonly #book = new AddressBook();
  #bookedThrough = 0;

  constructor(store: EventStore, conversationId: string, turnId: string, listener: Listener) {
    this.#store = store;
    this.conversationId = conversationId;
    this.turnId = turnId;
    this.#listener = listener;
    this.#log = store.read(conversationId);
  }

  get events(): readonly StoredEvent[] {
    return this.#log;
  }

  append(event: ConversationEvent): void {
    this.appendAll([event]);
  }

  /** Commits the events in one transaction, so that simultaneous events cost as much as one. */
  appendAll(events: readonly ConversationEvent[]): void {
    if (events.length === 0) return;
    const stored = this.#store.appendAll(this.conversationId, this.turnId, events);
    this.#log.push(...stored);
    if (events.some(({ type }) => CHANGES_HISTORY.has(type))) this.#folded = undefined;
    if (events.some((event) => 'marks' in event)) this.#knownMarks = undefined;
    for (const event of stored) this.#listener(event);
  }

  /** Ends a turn that was cut off when its process ended. Listeners are not told, because it happened in the past. */
  closeInterruptedTurn(): void {
    const last = lastOfTurns(this.#log);
    if (last === undefined) return;
    const missing = closeInterruptedTurn(this.#log);
    if (missing.length === 0) return;
    this.#log.push(...this.#store.appendAll(this.conversationId, last.turnId, missing));
    this.#folded = undefined;
  }

  show(event: LiveEvent): void {
    this.#listener(event);
  }

  /** The history as this model is given it. */
  history(reader: Reader): History {
    if (this.#folded?.provider !== reader.provider || this.#folded.model !== reader.model)
      this.#folded = { ...reader, history: foldHistory(this.#log, reader) };
    return this.#folded.history;
  }

  /** Addresses that were named, seen or followed so far, even if the text is no longer in the history. */
  addresses(): AddressBook {
    for (const event of this.#log.slice(this.#bookedThrough)) this.#book.add(event);
    this.#bookedThrough = this.#log.length;
    return this.#book;
  }

  /** The results of these calls, in their order. */
  resultsOf(ids: readonly string[]): readonly (EventOf<'tool_result'> | undefined)[] {
    return ids.map((id) =>
      this.#log.findLast(
        (event): event is StoredEvent & EventOf<'tool_result'> => event.type === 'tool_result' && event.id === id,
      ),
    );
  }

  /** Marks of everything that happened, whether it is still in the history or not. */
  marks(): readonly Mark[] {
    this.#knownMarks ??= marksIn(this.#log);
    return this.#knownMarks;
  }

  /** The time of its first event, or now if there is none. */
  get beganAt(): Date {
    return beganAt(this.#log);
  }

  outside(): readonly OutsideArrival[] {
    return outsideIn(this.#log);
  }
}

export function beganAt([first]: readonly StoredEvent[]): Date {
  return first === undefined ? new Date() : new Date(first.at);
}

/** The events with which text from outside came in. A summary brings nothing new. */
export function outsideIn(events: readonly StoredEvent[]): readonly OutsideArrival[] {
  const rules = new Map<string, string | null>();
  const arrivals: OutsideArrival[] = [];
  for (const event of withoutNested(events)) {
    if (event.type === 'decision') rules.set(event.id, event.ruleId ?? null);
    const marks = 'marks' in event && event.type !== 'compaction' ? (event.marks ?? []) : [];
    if (!marks.some(({ kind }) => kind === 'untrusted')) continue;
    const ruleId = event.type === 'tool_result' ? (rules.get(event.id) ?? null) : null;
    arrivals.push({ seq: event.seq, ruleId });
  }
  return arrivals;
}

/**
 * What has been read in a conversation, without duplicates. Marks are never removed: text that a retry, a refusal or a
 * summary removed from the model's history may have influenced what remains, including files. What another model read
 * when it was asked reaches the conversation only with its answer, which has those marks. Source: design section 4.
 */
export function marksIn(events: readonly StoredEvent[]): readonly Mark[] {
  return eachOnce(withoutNested(events).flatMap((event) => ('marks' in event ? (event.marks ?? []) : [])));
}
