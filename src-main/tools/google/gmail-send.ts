import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { externalAmong } from '../../policy/recipients.ts';
import { TEXT_LENGTH } from '../argument-limits.ts';
import { ToolFailure, withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { withGoogleFailures } from './google-failure.ts';
import { mailAddressText, parseMailAddresses } from './mail-addresses.ts';
import { MailNotSent, type NotSentReason } from './mail-not-sent.ts';

const PREFIX = 'Error sending email: ';

/** Source: tool catalogue B.5. */
export const gmailSend = defineTool({
  name: 'gmail_send',
  access: 'send',
  description:
    "Send a plain-text email from the user's Gmail account. The user sees recipients, subject and text, and approves each one. If an error says that it may have been sent, do not send it again.",
  longest: { to: 50_000, body: TEXT_LENGTH },
  input: z.object({
    to: z.string().describe('Recipients, separated by commas: ada@example.org or Ada Lovelace <ada@example.org>'),
    subject: z.string().describe('Subject, on one line'),
    body: z.string().describe('Plain text; may be empty'),
  }),
  emptyAllowed: ['body'],
  refusesUnknown: true,
  undo: 'impossible',
  words: {
    title: 'Send mail',
    done: 'Sent mail',
    icon: 'mail',
    about: ['to'],
    asked: 'Send this email?',
  },
  manual: {
    example: { to: 'ada@example.org', subject: 'Tuesday', body: 'Does ten suit you?' },
    limits: [
      'At most 100 recipients. No groups, comments or quoted addresses.',
      'Sent after `outboxSeconds`, in which the user can undo it.',
    ],
  },
  assess: async ({ to, subject, body }, { google, outbox: { waitSeconds } }) => {
    if (/[\r\n]/.test(to) || /[\r\n]/.test(subject))
      throw new ToolFailure(`${PREFIX}line breaks are not allowed in to or subject`);
    if (/\p{Cc}/u.test(subject)) throw new ToolFailure(`${PREFIX}control characters are not allowed in subject`);
    const recipients = await withFailurePrefix(PREFIX, () => parseMailAddresses(to));
    const own = await google.address('gmail');
    const from = own === undefined ? {} : { from: own };
    const external = new Set(
      await externalAmong(
        recipients.map(({ address }) => address),
        own,
      ),
    );
    const texts = (some: typeof recipients) => some.map(mailAddressText);
    return {
      access: [
        {
          kind: 'mail',
          class: 'send',
          ...from,
          recipients: texts(recipients),
          external: texts(recipients.filter(({ address }) => external.has(address))),
          subject,
          text: body,
          ...(waitSeconds === 0 ? {} : { undoSeconds: waitSeconds }),
        },
      ],
      plan: { ...from, to: recipients, subject, body },
    };
  },
  execute: (mail, { outbox, conversationId, callId, signal }) =>
    withGoogleFailures(PREFIX, async () => {
      try {
        return `Email sent successfully (ID: ${await outbox.send(mail, { conversationId, callId, signal })})`;
      } catch (error) {
        if (error instanceof MailNotSent) throw notSent(error);
        throw error;
      }
    }),
});

const OUTCOMES: Readonly<Partial<Record<NotSentReason, 'stopped' | 'declined'>>> = {
  undone: 'declined',
  dropped: 'declined',
  stopped: 'stopped',
  kept: 'stopped',
};

function notSent(error: MailNotSent): ToolFailure {
  const { reason } = error;
  const outcome = OUTCOMES[reason];
  return new ToolFailure(textOf(reason, errorMessage(error)), {
    cause: error,
    ...(outcome === undefined ? {} : { outcome }),
  });
}

function textOf(reason: NotSentReason, details: string): string {
  switch (reason) {
    case 'undone':
      return 'Error: The user declined to run gmail_send.';
    case 'stopped':
      return `${PREFIX}the user stopped it before it was sent. Nothing was sent.`;
    case 'kept':
      return `${PREFIX}Steward was closed before it was sent. At the next start, the user decides whether it is sent.`;
    case 'refused':
      return `${PREFIX}${details}`;
    case 'dropped':
      return `${PREFIX}Gmail did not confirm it, it was not found among the sent mail, and the user decided not to send it again.`;
    case 'unknown':
      return `${PREFIX}Gmail did not confirm it (${details}), so it may have been sent. Don’t send it again: the user is asked about it.`;
    case 'unasked':
      return `${PREFIX}Gmail did not confirm it (${details}), so it may have been sent. Don’t send it again: the user decides when they next open Steward.`;
  }
}
