import type { LogEvent, MessageAttachment, SentPrompt, StoredEvent } from '../../../src-preload/contract/events.ts';
import { firstCharacters, visible, visibleLines } from '../../base/text.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';

/** More of a result or attachment than anyone reads in a card; the rest is available on request. */
const SHOWN_CHARACTERS = 200_000;
/** The last lines of a command's output are what readers look for. */
const SHOWN_END_CHARACTERS = 20_000;

/** Provides the words shown for calls. */
export type Words = Pick<ToolRegistry, 'words'>;

/**
 * An event as sent to the window: calls with their words, long results and attachments truncated, PDFs and recordings
 * without their bytes, and command output with its end as well.
 */
export function shownEvent(event: StoredEvent, registry: Words): LogEvent {
  const { conversationId: _, ...shown } = event;
  if (shown.type === 'tool_call') return { ...shown, words: shown.words ?? registry.words(shown.name, shown.input) };
  if (shown.type === 'block' && shown.block.type === 'tool_use')
    return { ...shown, words: registry.words(shown.block.name, shown.block.input) };
  if (shown.type === 'user_message') {
    const { attachments, prompt } = shown;
    return {
      ...shown,
      ...(attachments === undefined ? {} : { attachments: attachments.map(shownAttachment) }),
      ...(prompt === undefined ? {} : { prompt: shownPrompt(prompt) }),
    };
  }
  if (shown.type !== 'tool_result') return shown;
  // The window does not need the text given to the model, nor the links it may follow.
  const { modelText: __, links: ___, linksFrom: ____, text, ...result } = shown;
  if (text.length <= SHOWN_CHARACTERS) return { ...result, text };
  const { length } = text;
  const cut = result.card?.kind === 'terminal' ? { length, end: endOf(text) } : { length };
  return { ...result, text: firstCharacters(text, SHOWN_CHARACTERS), cut };
}

/** The words are a server's. */
function shownPrompt({ messages, ...prompt }: SentPrompt): SentPrompt {
  const shown = messages.map(({ role, content }) => ({
    role,
    content: content.map((block) =>
      block.type === 'text' ? { ...block, text: visibleLines(firstCharacters(block.text, SHOWN_CHARACTERS)) } : block,
    ),
  }));
  return { ...prompt, name: visible(prompt.name), messages: shown };
}

function shownAttachment(attachment: MessageAttachment): MessageAttachment {
  if (attachment.from === undefined) return cutAttachment(attachment);
  const shown = cutAttachment(attachment);
  return shown.kind === 'text' ? { ...shown, name: visible(shown.name), text: visibleLines(shown.text) } : shown;
}

function cutAttachment(attachment: MessageAttachment): MessageAttachment {
  if (attachment.kind === 'document' || attachment.kind === 'audio')
    return { ...attachment, data: '', bytes: Buffer.byteLength(attachment.data, 'base64') };
  if (attachment.kind !== 'text' || attachment.text.length <= SHOWN_CHARACTERS) return attachment;
  const { text, ...rest } = attachment;
  return { ...rest, text: firstCharacters(text, SHOWN_CHARACTERS), length: text.length };
}

/** Starts at a line start, if there is one. */
function endOf(text: string): string {
  const end = text.slice(-SHOWN_END_CHARACTERS);
  const lineEnd = end.indexOf('\n');
  return lineEnd === -1 ? end.replace(/^[\udc00-\udfff]/, '') : end.slice(lineEnd + 1);
}
