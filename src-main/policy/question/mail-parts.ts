import type { SendAccess } from '../access.ts';
import type { QuestionPart } from './question-parts.ts';

/** A mail as it would be sent: one recipient a line, those outside the user's organisation marked. */
export function mailParts({
  from,
  recipients,
  external = [],
  subject = '',
  text,
}: Pick<SendAccess, 'from' | 'recipients' | 'external' | 'subject' | 'text'>): QuestionPart[] {
  const to = recipients.map((each) => (external.includes(each) ? `${each}  (outside your organisation)` : each));
  return [
    ...(from === undefined ? [] : [{ kind: 'text', title: 'From', text: from } as const]),
    { kind: 'text', title: 'To', text: to.join('\n') },
    { kind: 'text', title: 'Subject', text: subject.trim() === '' ? '(no subject)' : subject },
    { kind: 'text', title: 'Full text', text: text.trim() === '' ? '(no text)' : text },
  ];
}
