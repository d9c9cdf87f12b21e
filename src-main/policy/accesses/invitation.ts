import type { TouchedKind } from './access-kind.ts';
import { recipientTexts } from './recipient-texts.ts';
import { named } from './title-words.ts';
import { asks } from './verdict.ts';

/** The mail that guests of an event get. */
export interface InvitationAccess {
  readonly kind: 'invitation';
  readonly class: 'send';
  readonly recipients: readonly string[];
  /** The recipients who are outside the user's organisation; see `recipients.ts`. */
  readonly external?: readonly string[];
  /** The whole text that would be sent. */
  readonly text: string;
}

export const invitationKind: TouchedKind<InvitationAccess> = {
  effectiveClass: (access) => access.class,
  judge: () => asks({ code: 'send' }, 'send'),
  isCovered: () => false,
  rules: () => [],
  leastFlag: () => 'all',
  remembered: () => ({}),
  // What comes back is the event, which is an access of its own.
  marks: () => [],
  consequences: () => ({ consequences: [] }),
  hosts: () => [],
  passesOnInput: () => true,
  title: (invitations) => {
    const guests = invitations.flatMap((each) => each.recipients);
    return named('Invite', guests, 'guest', 'guests');
  },
  nameOf: ({ recipients }) => recipients.join(', '),
  describe: (access) => `invite ${recipientTexts(access).join(', ')}:\n${access.text}`,
  shownClass: (access) => access.class,
};
