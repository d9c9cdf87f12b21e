import type { EventOf, MessageAttachment } from '../../../src-preload/contract/events.ts';
import { backticksAround, firstCharacters, grouped } from '../../base/text.ts';

type AttachedText = Extract<MessageAttachment, { kind: 'text' }>;

/** An attached text as it is exported and searched. Nothing in the text can end its fence. */
export function attachedText({ name, text }: Pick<AttachedText, 'name' | 'text'>): string {
  const fence = backticksAround(text, 3);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `Attached file: ${attachedName(name)}\n${fence}\n${text}${end}${fence}`;
}

/** The same as a model is given it: where it is cut, that is said behind it. */
function givenText(attachment: AttachedText): string {
  const { name, text, given = text.length } = attachment;
  if (given >= text.length) return attachedText(attachment);
  const shown = firstCharacters(text, given);
  const counts = `its first ${grouped(shown.length)} of ${grouped(text.length)} characters`;
  return `${attachedText({ name, text: shown })}
[The attached text is cut here: you are given ${counts}, which is what fits. No tool reads the rest; the user can send another part.]`;
}

/** A file's name on one line, without what could be taken for something else. */
export function attachedName(name: string): string {
  return name.replace(/[\p{C}`]/gu, ' ').trim();
}

type MessageParts = Pick<EventOf<'user_message'>, 'attachments' | 'content'>;

/** A message whole: what was attached, then what was written. */
export function messageBlocks(message: MessageParts) {
  return blocksOf(message, attachedText);
}

/** What a model is given of a message, in the same order. */
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
