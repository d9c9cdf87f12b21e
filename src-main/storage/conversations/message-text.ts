import type { ReadableDatabase } from '../database/connection.ts';
import { searchableText } from '../search/search-index.ts';
import { deltaRunBefore } from './delta-runs.ts';
import { parseEvent } from './parse-event.ts';

/** The text under which an event is indexed, or undefined if it no longer has one. */
export function messageText(
  connection: ReadableDatabase,
  { seq, conversation, body }: { readonly seq: number; readonly conversation: number; readonly body: string },
): string | undefined {
  const event = parseEvent(body);
  // A text that was cut off is indexed as a whole under its last delta.
  if (event?.type === 'text_delta') return deltaRunBefore(connection, conversation, seq + 1)?.text;
  return event && searchableText(event);
}
