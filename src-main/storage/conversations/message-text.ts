import type { Connection } from '../database/connection.ts';
import { searchableText } from '../search/search-index.ts';
import { deltaRunBefore } from './delta-runs.ts';
import { parseEvent } from './parse-event.ts';

/** The text for which an event is in the index. `undefined`: there is none any more. */
export function messageText(
  connection: Connection,
  { seq, conversation, body }: { readonly seq: number; readonly conversation: number; readonly body: string },
): string | undefined {
  const event = parseEvent(body);
  // Under the last piece of a text that was cut off stands the whole of it.
  if (event?.type === 'text_delta') return deltaRunBefore(connection, conversation, seq + 1)?.text;
  return event && searchableText(event);
}
