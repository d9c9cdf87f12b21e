import type { Mark, StoredEvent } from '../../src-preload/contract/events.ts';

/**
 * What has been read in a conversation, each once. Nothing takes a mark away: what a retry, a refusal or a summary took out of
 * the model's history may be the reason for what is there still, a file among it. Source: design section 4.
 */
export function marksIn(events: readonly StoredEvent[]): readonly Mark[] {
  const marks = new Map<string, Mark>();
  for (const event of events)
    if ('marks' in event) for (const mark of event.marks ?? []) marks.set(`${mark.kind} ${mark.source}`, mark);
  return [...marks.values()];
}
