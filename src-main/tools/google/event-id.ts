import { createHash } from 'node:crypto';
import { canonicalHash } from '../../base/canonical-json.ts';

const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';
/** An id has 160 bits, so no one else's event has it by chance. */
const LENGTH = 32;

/**
 * Returns the id of an event that is to be created. It is the same for the same event in the same conversation, so that
 * creating it twice, after a lost answer or a crash, is a conflict. Each `attempt` has another id, for the case that
 * the event with the one before was deleted or changed. Source:
 * https://developers.google.com/workspace/calendar/api/v3/reference/events/insert (base32hex, 5 to 1024 characters).
 */
export function eventId(conversationId: string, calendarId: string, event: object, attempt: number): string {
  const identity = canonicalHash({ conversationId, calendarId, event, attempt });
  const bytes = createHash('sha256').update(identity).digest();
  let id = '';
  for (let bit = 0; id.length < LENGTH; bit += 5) {
    const pair = (bytes[bit >> 3] ?? 0) * 256 + (bytes[(bit >> 3) + 1] ?? 0);
    id += BASE32HEX[(pair >> (11 - (bit & 7))) & 31];
  }
  return id;
}
