import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { whileNotGrown } from '../../base/while-not-grown.ts';

/** Id of each call that was made inside a call of `ask_{provider}` → the id of that call. */
export const outerCalls = whileNotGrown((events: readonly StoredEvent[]): ReadonlyMap<string, string> => {
  const outer = new Map<string, string>();
  for (const event of events)
    if (event.type === 'tool_call' && event.inside !== undefined) outer.set(event.id, event.inside);
  return outer;
});

/** The log without what happened inside calls of `ask_{provider}`. A mail that was sent there stays. */
export const withoutNested = whileNotGrown((events: readonly StoredEvent[]): readonly StoredEvent[] => {
  const nested = outerCalls(events);
  return events.filter((event) => {
    if (event.type === 'usage') return event.inside === undefined;
    const isOfCall = event.type === 'tool_call' || event.type === 'decision' || event.type === 'tool_result';
    return !isOfCall || !nested.has(event.id);
  });
});
