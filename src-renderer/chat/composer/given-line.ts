import { givenOf } from '../../../src-preload/contract/attached-text.ts';
import type { ModelChoice } from '../../../src-preload/contract/settings.ts';
import type { PendingAttachment } from './attachments.ts';

/** Tells the person how much of the attached texts the model will read. `null`: all of it. */
export function givenLine(attachments: readonly PendingAttachment[], model: ModelChoice | undefined): string | null {
  if (attachments.length === 0 || model === undefined) return null;
  const { label, attachedRoom } = model;
  if (attachedRoom === null) return `The ${label} can’t read attachments. Connect a model to use them.`;
  const texts = attachments.flatMap(({ attachment }) => (attachment.kind === 'text' ? [attachment] : []));
  const given = givenOf(
    texts.map(({ text }) => text.length),
    attachedRoom,
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
