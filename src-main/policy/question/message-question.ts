import type { MessageAttachment } from '../../../src-preload/contract/events.ts';
import type { MessageConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

/** Asks whether this message may be sent in the user's name. */
export function messageQuestion(request: MessageConsentRequest): ConsentQuestion {
  const { id, reason, text, attachments, conversationId } = request;
  const parts: QuestionPart[] = attachments.map(attachmentPart);
  if (text.trim() !== '') parts.unshift({ kind: 'text', title: 'Full message', text });
  return {
    id,
    kind: 'message',
    title: 'Send this message?',
    reason,
    tool: null,
    conversationId,
    parts,
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
    mayStopAsking: true,
  };
}

function attachmentPart(attachment: MessageAttachment): QuestionPart {
  const title = `Attached: ${attachment.name ?? 'an image'}`;
  if (attachment.kind === 'text') return { kind: 'text', title, text: attachment.text };
  const bytes = Buffer.byteLength(attachment.data, 'base64');
  return { kind: 'text', title, text: `${attachment.mediaType}, ${bytes} bytes` };
}
