import type { SendAccess } from '../access.ts';
import { recipientTexts } from '../access-text.ts';
import type { QuestionPart } from './question-parts.ts';

/** A mail as it would be sent: one recipient a line, those outside the user's organisation marked. */
export function mailParts({
  recipients,
  external,
  subject = '',
  text,
}: Pick<SendAccess, 'recipients' | 'external' | 'subject' | 'text'>): QuestionPart[] {
  return [
    { kind: 'text', isShort: true, title: 'To', text: recipientTexts({ recipients, external }).join('\n') },
    { kind: 'text', isShort: true, title: 'Subject', text: subject.trim() === '' ? '(no subject)' : subject },
    { kind: 'text', title: 'Full text', text: text.trim() === '' ? '(no text)' : text },
  ];
}
