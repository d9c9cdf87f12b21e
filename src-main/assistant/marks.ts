import type { Mark, StoredEvent } from '../../src-preload/contract/events.ts';
import { eachOnce } from '../policy/access-marks.ts';

/**
 * What has been read in a conversation, each once. Nothing takes a mark away: what a retry, a refusal or a summary took out of
 * the model's history may be the reason for what is there still, a file among it. Source: design section 4.
 */
export function marksIn(events: readonly StoredEvent[]): readonly Mark[] {
  return eachOnce(events.flatMap((event) => ('marks' in event ? (event.marks ?? []) : [])));
}
