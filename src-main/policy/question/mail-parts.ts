import type { MailAccess } from '../access.ts';
import { recipientTexts } from '../accesses/recipient-texts.ts';
import type { QuestionPart } from './question-parts.ts';

/** Shows a mail as it would be sent, with one recipient per line. Those outside the user's organisation are marked. */
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
