import type { LogEvent, MessageAttachment, StoredEvent } from '../../src-preload/contract/events.ts';
import { firstCharacters } from '../base/text.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';

/** More of a result than anybody reads in a card (the rest is there on request), or of what they attached. */
const SHOWN_CHARACTERS = 200_000;
/** The last lines of what a command printed are what a reader looks for. */
const SHOWN_END_CHARACTERS = 20_000;

/** Knows what people read of calls. */
export type Words = Pick<ToolRegistry, 'words'>;

/**
 * An event as the window gets it: a call with its words, of a long result or attached text only the beginning, and of what a
 * command printed the end besides.
 */
export function shownEvent(event: StoredEvent, registry: Words): LogEvent {
  const { conversationId: _, ...shown } = event;
  if (shown.type === 'tool_call') return { ...shown, words: shown.words ?? registry.words(shown.name, shown.input) };
  if (shown.type === 'block' && shown.block.type === 'tool_use')
    return { ...shown, words: registry.words(shown.block.name, shown.block.input) };
  if (shown.type === 'user_message' && shown.attachments !== undefined)
    return { ...shown, attachments: shown.attachments.map(shownAttachment) };
  if (shown.type !== 'tool_result') return shown;
  // What the model was given is in the log, and where it may go on from there; the window has no use for them.
  const { modelText: __, links: ___, text, ...result } = shown;
  if (text.length <= SHOWN_CHARACTERS) return { ...result, text };
  const { length } = text;
  const cut = result.card?.kind === 'terminal' ? { length, end: endOf(text) } : { length };
  return { ...result, text: firstCharacters(text, SHOWN_CHARACTERS), cut };
}

function shownAttachment(attachment: MessageAttachment): MessageAttachment {
  if (attachment.kind !== 'text' || attachment.text.length <= SHOWN_CHARACTERS) return attachment;
  const { text, ...rest } = attachment;
  return { ...rest, text: firstCharacters(text, SHOWN_CHARACTERS), length: text.length };
}

/** From the beginning of a line, where one begins in it. */
function endOf(text: string): string {
  const end = text.slice(-SHOWN_END_CHARACTERS);
  const lineEnd = end.indexOf('\n');
  return lineEnd === -1 ? end.replace(/^[\udc00-\udfff]/, '') : end.slice(lineEnd + 1);
}
