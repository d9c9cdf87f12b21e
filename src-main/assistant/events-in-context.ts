import type { StoredEvent } from '../../src-preload/contract/events.ts';
import { whileNotGrown } from '../base/while-not-grown.ts';
import { withoutNested } from '../storage/conversations/nested-calls.ts';

/**
 * The log without what a retry replaced, without commands, without turns that the model refused (they would be refused
 * again), and without what other models did when they were asked. A message that was tried again counts with its last
 * answer.
 */
export const eventsInContext = whileNotGrown((all: readonly StoredEvent[]): readonly StoredEvent[] => {
  const events = withoutNested(all);
  const left = new Set<string>();
  /** The turn that answered each message of the user last, by the message's sequence number. */
  const answeredBy = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'turn_end' && event.stopReason === 'refusal') left.add(event.turnId);
    else if (event.type === 'user_message' && event.isCommand === true) left.add(event.turnId);
    else if (event.type === 'user_message') answeredBy.set(event.seq, event.turnId);
    else if (event.type === 'retry') answeredBy.set(event.afterSeq, event.turnId);
  }
  const kept: StoredEvent[] = [];
  for (const event of events) {
    if (event.type === 'retry') {
      const first = kept.findIndex(({ seq }) => seq > event.afterSeq);
      // An undo in between may concern an earlier turn, and remains valid. So does what became of a mail or of files.
      if (first !== -1) kept.push(...kept.splice(first).filter(({ type }) => !isOfTurn(type)));
      if (!left.has(event.turnId)) kept.push(event);
    } else if (!left.has((event.type === 'user_message' && answeredBy.get(event.seq)) || event.turnId)) {
      kept.push(event);
    }
  }
  return kept;
});

/** The last event of a turn. */
export function lastOfTurns(events: readonly StoredEvent[]): StoredEvent | undefined {
  return events.findLast(({ type }) => isOfTurn(type));
}

/** Undo and redo come between turns, and news of a mail or of a program left running at any time. */
function isOfTurn(type: StoredEvent['type']): boolean {
  return type !== 'undo' && type !== 'redo' && type !== 'mail' && type !== 'changes';
}
