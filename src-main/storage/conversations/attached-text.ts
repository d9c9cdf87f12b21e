import type { EventOf, MessageAttachment } from '../../../src-preload/contract/events.ts';
import { backticksAround, firstCharacters, grouped } from '../../base/text.ts';

type AttachedText = Extract<MessageAttachment, { kind: 'text' }>;

/** An attached text as exported and searched. Nothing in the text can close its fence. */
export function attachedText({ name, text }: Pick<AttachedText, 'name' | 'text'>): string {
  const fence = backticksAround(text, 3);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `Attached file: ${attachedName(name)}\n${fence}\n${text}${end}${fence}`;
}

/** The same as given to a model: if it is cut, a note follows. */
function givenText(attachment: AttachedText): string {
  const { name, text, given = text.length } = attachment;
  if (given >= text.length) return attachedText(attachment);
  const shown = firstCharacters(text, given);
  const counts = `its first ${grouped(shown.length)} of ${grouped(text.length)} characters`;
  return `${attachedText({ name, text: shown })}
[The attached text is cut here: you are given ${counts}, which is what fits. No tool reads the rest; the user can send another part.]`;
}

/** A file's name on one line, without characters that could be taken for something else. */
export function attachedName(name: string): string {
  return name.replace(/[\p{C}`]/gu, ' ').trim();
}

type MessageParts = Pick<EventOf<'user_message'>, 'attachments' | 'content'>;

/** A whole message: attachments first, then the text. */
export function messageBlocks(message: MessageParts) {
  return blocksOf(message, attachedText);
}

/** What a model is given for a message, in the same order. */
export function givenBlocks(message: MessageParts) {
  return blocksOf(message, givenText);
}

function blocksOf({ attachments = [], content }: MessageParts, textOf: (attachment: AttachedText) => string) {
  const attached = attachments.map((each) =>
    each.kind === 'text'
      ? ({ type: 'text', text: textOf(each) } as const)
      : ({ type: 'image', mediaType: each.mediaType, data: each.data } as const),
  );
  return [...attached, ...content];
}
