import type { MailAccess } from '../access.ts';
import { recipientTexts } from '../accesses/recipient-texts.ts';
import type { QuestionPart } from './question-parts.ts';

/** A mail as it would be sent: one recipient a line, those outside the user's organisation marked. */
export function mailParts({
  from,
  recipients,
  external,
  subject = '',
  text,
}: Pick<MailAccess, 'from' | 'recipients' | 'external' | 'subject' | 'text'>): QuestionPart[] {
  return [
    ...(from === undefined ? [] : [{ kind: 'text', isShort: true, title: 'From', text: from } as const]),
    { kind: 'text', isShort: true, title: 'To', text: recipientTexts({ recipients, external }).join('\n') },
    { kind: 'text', isShort: true, title: 'Subject', text: subject.trim() === '' ? '(no subject)' : subject },
    { kind: 'text', isBody: true, title: 'Full text', text: text.trim() === '' ? '(no text)' : text },
  ];
}
