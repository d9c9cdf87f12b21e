import type { KeptChange, StoredEvent } from '../../../src-preload/contract/events.ts';

/** Calls after `afterSeq` that changed files and of which nothing was undone, in the order of their results. */
export function keptChanges(events: readonly StoredEvent[], afterSeq: number): readonly KeptChange[] {
  const later = events.filter(({ seq }) => seq > afterSeq);
  const undone = new Set(later.flatMap((event) => (event.type === 'undo' ? event.calls : [])));
  const tools = new Map(
    later.flatMap((event) => (event.type === 'tool_call' ? [[event.id, event.name] as const] : [])),
  );
  return later.flatMap((event) => {
    if (event.type !== 'tool_result' || undone.has(event.id) || (event.changed?.length ?? 0) === 0) return [];
    return [{ id: event.id, tool: tools.get(event.id) ?? '', paths: event.changed ?? [] }];
  });
}
