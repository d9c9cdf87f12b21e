import type { ImageBlock, TextBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { EventOf, MessageAttachment } from '../../../src-preload/contract/events.ts';
import { backticksAround, firstCharacters, grouped } from '../../base/text.ts';

type AttachedText = Extract<MessageAttachment, { kind: 'text' }>;

/** An attached text as it is exported and searched. Nothing in the text can end its fence. */
export function attachedText({ name, text, from }: Pick<AttachedText, 'name' | 'text' | 'from'>): string {
  if (from === undefined) return `Attached file: ${attachedName(name)}\n${fenced(text)}`;
  const server = attachedName(from.server);
  return `Attached resource of the MCP server ${server}: ${attachedName(from.uri)}\n${fenced(text)}`;
}

/** A resource that stands in a server's own text. */
export function resourceText(uri: string, text: string): string {
  return `Resource: ${attachedName(uri)}\n${fenced(text)}`;
}

/** Nothing in the text can end its fence. */
export function fenced(text: string): string {
  const fence = backticksAround(text, 3);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${fence}\n${text}${end}${fence}`;
}

/** The text as the model is given it. If it is cut, a note follows. */
function givenText(attachment: AttachedText): string {
  const { text, given = text.length } = attachment;
  if (given >= text.length) return attachedText(attachment);
  const shown = firstCharacters(text, given);
  const counts = `its first ${grouped(shown.length)} of ${grouped(text.length)} characters`;
  return `${attachedText({ ...attachment, text: shown })}
[The attached text is cut here: you are given ${counts}, which is what fits. No tool reads the rest; the user can send another part.]`;
}

/** A file's name on one line, without characters that could be taken for something else. */
export function attachedName(name: string): string {
  return name.replace(/[\p{C}`]/gu, ' ').trim();
}

type MessageParts = Pick<EventOf<'user_message'>, 'attachments' | 'content'>;

/** A message whole: its prompt, what was attached, then what was written. */
export function messageBlocks(message: MessageParts & Pick<EventOf<'user_message'>, 'prompt'>) {
  const { prompt } = message;
  if (prompt === undefined) return blocksOf(message, attachedText);
  const title = `Prompt ${attachedName(prompt.name)} of the MCP server ${attachedName(prompt.server)}:`;
  const said = prompt.messages.flatMap(({ role, content }) =>
    content.map((block): TextBlock | ImageBlock =>
      block.type === 'text' ? { type: 'text', text: `${role}:\n${fenced(block.text)}` } : block,
    ),
  );
  return [{ type: 'text', text: title } as const, ...said, ...blocksOf(message, attachedText)];
}

/**
 * What a model is given of a message in the user's role, in the same order; a prompt goes before it, in roles of its
 * own.
 */
export function givenBlocks(message: MessageParts) {
  return blocksOf(message, givenText);
}

function blocksOf({ attachments = [], content }: MessageParts, textOf: (attachment: AttachedText) => string) {
  const attached = attachments.map((each) => {
    if (each.kind === 'text') return { type: 'text', text: textOf(each) } as const;
    const { kind, mediaType, data } = each;
    return kind === 'image'
      ? ({ type: kind, mediaType, data } as const)
      : ({ type: kind, mediaType, data, name: each.name } as const);
  });
  return [...attached, ...content];
}
