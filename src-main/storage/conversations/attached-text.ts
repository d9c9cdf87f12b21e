import type { EventOf, MessageAttachment } from '../../../src-preload/contract/events.ts';
import { backticksAround } from '../../base/text.ts';

/** An attached text as a model is given it, and as it is exported and searched. Nothing in the text can end its fence. */
export function attachedText({ name, text }: Extract<MessageAttachment, { kind: 'text' }>): string {
  const fence = backticksAround(text, 3);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `Attached file: ${attachedName(name)}\n${fence}\n${text}${end}${fence}`;
}

/** A file's name on one line, without what could be taken for something else. */
export function attachedName(name: string): string {
  return name.replace(/[\p{C}`]/gu, ' ').trim();
}

/** A message in the order in which a model is given it: what was attached, then what was written. */
export function messageBlocks({ attachments = [], content }: Pick<EventOf<'user_message'>, 'attachments' | 'content'>) {
  const attached = attachments.map((each) =>
    each.kind === 'text'
      ? ({ type: 'text', text: attachedText(each) } as const)
      : ({ type: 'image', mediaType: each.mediaType, data: each.data } as const),
  );
  return [...attached, ...content];
}
