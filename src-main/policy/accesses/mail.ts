import type { TouchedKind } from './access-kind.ts';
import { recipientTexts } from './recipient-texts.ts';
import { named } from './title-words.ts';
import { asks } from './verdict.ts';

/** A mail from the user's account. */
export interface MailAccess {
  readonly kind: 'mail';
  readonly class: 'send';
  /** The address of the account that sends it, if known. */
  readonly from?: string;
  readonly recipients: readonly string[];
  /** The recipients who are outside the user's organisation; see `recipients.ts`. */
  readonly external?: readonly string[];
  readonly subject?: string;
  /** For how many seconds the mail can be undone once it is allowed. Absent if it can't. */
  readonly undoSeconds?: number;
  /** The whole text that would be sent, besides the subject. */
  readonly text: string;
}

export const mailKind: TouchedKind<MailAccess> = {
  effectiveClass: (access) => access.class,
  judge: () => asks({ code: 'send' }, 'send'),
  isCovered: () => false,
  rules: () => [],
  leastFlag: () => 'all',
  remembered: () => ({}),
  // Whether the mail was sent is nobody's text.
  marks: () => [],
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => true,
  title: (mails) => {
    const recipients = mails.flatMap((each) => each.recipients);
    return named('Send to', recipients, 'recipient', 'recipients');
  },
  nameOf: ({ recipients }) => recipients.join(', '),
  describe: (access) => {
    const subject = access.subject === undefined ? '' : `Subject: ${access.subject}\n\n`;
    return `send to ${recipientTexts(access).join(', ')}:\n${subject}${access.text}`;
  },
  shownClass: (access) => access.class,
};
