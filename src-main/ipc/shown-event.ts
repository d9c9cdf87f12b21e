import type { ShownEvent } from '../../src-preload/contract/conversations.ts';
import type { StoredEvent } from '../storage/events.ts';

/** More of a result than anybody reads in a card; the rest is there on request. */
const SHOWN_RESULT_CHARACTERS = 200_000;

/** An event as the window gets it. `textLength` says how long a result is of which only the beginning is sent. */
export function shownEvent(event: StoredEvent): ShownEvent {
  const { conversationId: _, ...shown } = event;
  if (shown.type !== 'tool_result') return shown;
  // What the model was given is in the log; the window has no use for it.
  const { modelText: __, text, ...result } = shown;
  if (text.length <= SHOWN_RESULT_CHARACTERS) return { ...result, text };
  return { ...result, text: beginningOf(text), textLength: text.length };
}

/** Never between the two halves of a character outside the basic plane. */
function beginningOf(text: string): string {
  const isHigh = /[\ud800-\udbff]/.test(text.charAt(SHOWN_RESULT_CHARACTERS - 1));
  return text.slice(0, isHigh ? SHOWN_RESULT_CHARACTERS - 1 : SHOWN_RESULT_CHARACTERS);
}
