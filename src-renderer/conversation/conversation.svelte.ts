import type { ConversationSummary } from '../../src-preload/contract/conversations.ts';
import type { LogEvent } from '../../src-preload/contract/events.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { TodosCard } from '../../src-preload/contract/tool-card.ts';
import { ContextUse } from './context-use.ts';
import { isLater, TurnView } from './turn.svelte.ts';

export type TurnEvent = AppEvents['turn']['events'][number];

/**
 * One conversation as shown, folded from its events, so that watching it live and opening it later give the same view.
 * Events that come twice or late are recognised by their sequence number.
 */
export class ConversationStore {
  readonly id: string;
  summary: ConversationSummary | null = $state.raw(null);
  turns: TurnView[] = $state([]);
  isLoaded = $state(false);
  isAnswering = $state(false);
  /** The assistant's current to-do list. Empty if there is none, or if it was completed before the last message. */
  todos: TodosCard['todos'] = $state.raw([]);
  /**
   * What was read that others may have written, newest first. Nothing takes it away: the model may still remember it.
   */
  outside: readonly string[] = $state.raw([]);
  /** An estimate of the tokens that the next request takes. Null if no model has answered yet. */
  contextTokens: number | null = $state(null);
  /** Events that arrived while it was open. */
  arrived = $state(0);
  #lastSeq = 0;
  #waiting: TurnEvent[] = [];
  /** Ids of calls that asked models made. */
  readonly #insideOthers = new Set<string>();
  readonly #contextUse = new ContextUse();

  constructor(id: string) {
    this.id = id;
  }

  get lastTurn(): TurnView | undefined {
    return this.turns.at(-1);
  }

  get isEmpty(): boolean {
    return this.turns.length === 0;
  }

  /** The events main had when asked. Later ones have already been queued here. */
  load(summary: ConversationSummary, events: readonly LogEvent[]): void {
    this.summary = summary;
    for (const event of events) this.#fold(event);
    this.isLoaded = true;
    this.isAnswering = summary.isAnswering;
    const missed = this.#waiting;
    this.#waiting = [];
    for (const event of missed) this.apply(event);
    if (!this.isAnswering) this.#endCutOffTurn();
  }

  /** An event of a turn, as it happens. */
  apply(event: TurnEvent): void {
    if (!this.isLoaded) {
      this.#waiting.push(event);
    } else if (!('seq' in event)) {
      this.arrived += 1;
      if (this.isAnswering) this.lastTurn?.show(event);
    } else if (event.seq > this.#lastSeq) {
      this.#fold(event);
      // These add nothing at the end of the page.
      if (isLater(event)) return;
      this.arrived += 1;
      this.isAnswering = event.type !== 'turn_end';
    }
  }

  /** Main reports whether it is answering in this conversation; a turn it does not know is over. */
  summaryChanged(summary: ConversationSummary): void {
    this.summary = summary;
    if (!this.isLoaded || summary.isAnswering === this.isAnswering) return;
    // The list is loaded independently, so it closes only turns that never reported their end.
    if (!summary.isAnswering && summary.updatedAt >= (this.lastTurn?.at ?? '')) return;
    this.isAnswering = summary.isAnswering;
  }

  #fold(event: LogEvent): void {
    this.#lastSeq = event.seq;
    if (isLater(event)) {
      for (const turn of this.turns) turn.applyLater(event);
      return;
    }
    if (event.type === 'retry') this.#supersede(event.afterSeq);
    this.#foldTodos(event);
    this.#foldMarks(event);
    this.#contextUse.fold(event);
    this.contextTokens = this.#contextUse.tokens;
    this.#turnOf(event.turnId, event.at, event.seq).apply(event);
  }

  #foldTodos(event: LogEvent): void {
    if (event.type === 'tool_result' && event.card?.kind === 'todos') this.todos = event.card.todos;
    if (event.type === 'user_message' && this.todos.every(({ status }) => status === 'completed')) this.todos = [];
  }

  #foldMarks(event: LogEvent): void {
    if (event.type === 'tool_call' && event.inside !== undefined) this.#insideOthers.add(event.id);
    // What an asked model has read comes with its answer.
    if (event.type === 'tool_result' && this.#insideOthers.has(event.id)) return;
    const marks = 'marks' in event ? (event.marks ?? []) : [];
    const read = marks.flatMap(({ kind, source }) => (kind === 'untrusted' ? [source] : []));
    if (read.length > 0) this.outside = [...new Set([...read.toReversed(), ...this.outside])];
  }

  #turnOf(turnId: string, at: string, seq: number): TurnView {
    const last = this.lastTurn;
    if (last?.id === turnId) {
      if (last.isEnded) last.reopen();
      return last;
    }
    this.#endCutOffTurn();
    const turn = new TurnView(turnId, at, seq);
    this.turns.push(turn);
    return turn;
  }

  #supersede(afterSeq: number): void {
    for (const turn of this.turns) {
      if (turn.lastSeq > afterSeq) turn.isSuperseded = true;
    }
  }

  #endCutOffTurn(): void {
    const last = this.lastTurn;
    if (last !== undefined && !last.isEnded) last.end('interrupted');
  }
}
