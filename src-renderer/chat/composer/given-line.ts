import { givenOf } from '../../../src-preload/contract/attached-text.ts';
import type { ModelChoice } from '../../../src-preload/contract/settings.ts';
import { type PendingAttachment, takes, whoCannot } from './attachments.ts';

/**
 * Tells the user how much of what is attached the model will be given, because another model may be chosen after it was
 * attached. Null if it is given all of it.
 */
export function givenLine(attachments: readonly PendingAttachment[], model: ModelChoice | undefined): string | null {
  if (attachments.length === 0 || model === undefined) return null;
  const { label, attachedRoom } = model;
  if (attachedRoom === null) return `The ${label} can’t read attachments. Connect a model to use them.`;
  return sentences(leftOutLine(attachments, model), cutLine(attachments, label, attachedRoom));
}

function sentences(...parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join(' ');
}

function leftOutLine(attachments: readonly PendingAttachment[], model: ModelChoice): string | null {
  return sentences(
    ...(['document', 'audio'] as const).map((kind) => {
      const names = attachments.flatMap(({ attachment }) => (attachment.kind === kind ? [`“${attachment.name}”`] : []));
      if (names.length === 0 || takes(model, kind)) return null;
      return `${whoCannot(model, kind)}: ${names.join(', ')} will be left out.`;
    }),
  );
}

function cutLine(attachments: readonly PendingAttachment[], label: string, room: number): string | null {
  const texts = attachments.flatMap(({ attachment }) => (attachment.kind === 'text' ? [attachment] : []));
  const given = givenOf(
    texts.map(({ text }) => text.length),
    room,
  );
  const cut = texts.flatMap(({ name, text }, index) => {
    const count = given[index] ?? 0;
    return count < text.length
      ? [`the first ${count.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters of “${name}”`]
      : [];
  });
  return cut.length === 0
    ? null
    : `${label} will read ${cut.join(', and ')}. The rest doesn’t fit; it is kept in the conversation.`;
}
