import type { StoredEvent } from '../../../src-preload/contract/events.ts';

/** Id of each call that was made inside a call of `ask_{provider}` → the id of that call. */
export function outerCalls(events: readonly StoredEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'tool_call' && event.inside !== undefined ? [[event.id, event.inside] as const] : [],
    ),
  );
}

/** The log without what happened inside calls of `ask_{provider}`. A mail that was sent there stays. */
export function withoutNested(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const nested = outerCalls(events);
  return events.filter((event) => {
    if (event.type === 'usage') return event.inside === undefined;
    const isOfCall = event.type === 'tool_call' || event.type === 'decision' || event.type === 'tool_result';
    return !isOfCall || !nested.has(event.id);
  });
}
