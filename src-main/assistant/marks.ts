import type { Mark, StoredEvent } from '../../src-preload/contract/events.ts';
import { eachOnce } from '../policy/access-marks.ts';

/**
 * What has been read in a conversation, without duplicates. Marks are never removed: text that a retry, a refusal or a summary removed from the
 * model's history may have influenced what remains, including files. Source: design section 4.
 */
export function marksIn(events: readonly StoredEvent[]): readonly Mark[] {
  return eachOnce(events.flatMap((event) => ('marks' in event ? (event.marks ?? []) : [])));
}
