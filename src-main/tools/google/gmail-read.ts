import { z } from 'zod';
import { shortened } from '../../base/text.ts';
import type { ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { withGoogleFailures } from './google-failure.ts';
import { googleRequests } from './google-requests.ts';
import { attachmentsOf, attachmentsText } from './mime/mail-attachments.ts';
import { isAmongAddresses, readAddresses, readHeader } from './mime/mail-headers.ts';
import type { MailHeaders } from './mime/mail-part.ts';
import { messageText } from './mime/message-text.ts';

const PREFIX = 'Error reading email: ';
const NO_TEXT = '(no text content)';
/** Characters shown of a sender. If it can't be shown whole, the links of its mail are asked about one by one. */
const SHOWN_OF_SENDER = 80;
/** The most links that are listed, as for a web page. */
const MAX_LINKS = 200;

/** Source: tool catalogue B.5. */
export const gmailRead = defineTool({
  name: 'gmail_read',
  access: 'read',
  errorPrefix: 'Error: ',
  description:
    "Read one message of the user's Gmail: sender, recipients (Cc too), date, subject, names of attachments, and text. What is in attachments is not read.",
  input: z.object({ messageId: z.string().describe('ID of the message, from gmail_search') }),
  aliases: { message_id: 'messageId', id: 'messageId' },
  words: { title: 'Read mail', done: 'Read mail', nothing: 'it has no text.', icon: 'mail', about: [] },
  manual: {
    example: { messageId: '18c2f0a1b2c3d4e5' },
    limits: [
      'HTML is read as text, and nothing in it is loaded.',
      'Attachments are named, with type and size; what is in them is not read.',
    ],
  },
  async assess({ messageId }) {
    return { access: [{ kind: 'account', class: 'read', account: 'gmail' } as const], plan: { id: messageId } };
  },
  async execute({ id }, context) {
    return withGoogleFailures(PREFIX, async () => {
      const { text, links, headers, attachments } = await readMessage(id, context);
      const { from, to, date, subject, ...others } = headers;
      const sender = /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from;
      context.mark({
        kind: 'untrusted',
        source: sender.trim() === '' ? 'mail' : `mail from ${shortened(sender.trim(), SHOWN_OF_SENDER)}`,
      });
      const address = sender.trim().toLowerCase();
      if (address !== '' && address.length <= SHOWN_OF_SENDER) context.mailLinks(links.slice(0, MAX_LINKS), address);
      context.card({ kind: 'mail', id, from, to, ...others, subject, date, attachments });
      const lines = [
        `From: ${from}`,
        ...lineIfAny('Reply-To', others.replyTo),
        `To: ${to}`,
        ...lineIfAny('Cc', others.cc),
        ...lineIfAny('Bcc', others.bcc),
        `Date: ${date}`,
        `Subject: ${subject}`,
        ...lineIfAny('Attachments', attachmentsText(attachments)),
      ];
      return [...lines.map((line) => line.trimEnd()), '', text === '' ? NO_TEXT : text].join('\n');
    });
  },
});

async function readMessage(id: string, context: ToolContext) {
  const { gmail } = await import('@googleapis/gmail');
  const { messages } = gmail('v1').users;
  const options = googleRequests({ service: 'gmail', tool: gmailRead.name }, context);
  const { data } = await messages.get({ userId: 'me', id, format: 'full' }, options);
  const payload = data.payload ?? {};
  const fetchBody = async (attachmentId: string) => {
    const attachment = await messages.attachments.get({ userId: 'me', messageId: id, id: attachmentId }, options);
    return attachment.data.data ?? '';
  };
  const { text, links } = await messageText(payload, { fetchBody, signal: context.signal });
  return { text, links, headers: await headOf(payload.headers), attachments: await attachmentsOf(payload) };
}

async function headOf(headers: MailHeaders) {
  const [from = '', date = '', subject = ''] = await Promise.all(
    ['From', 'Date', 'Subject'].map((name) => readHeader(headers, name)),
  );
  const [replyTo = '', to = '', cc = '', bcc = ''] = await Promise.all(
    ['Reply-To', 'To', 'Cc', 'Bcc'].map((name) => readAddresses(headers, name)),
  );
  return {
    from,
    to,
    date,
    subject,
    ...(replyTo === '' || (await isAmongAddresses(replyTo, from)) ? {} : { replyTo }),
    ...(cc === '' ? {} : { cc }),
    ...(bcc === '' ? {} : { bcc }),
  };
}

function lineIfAny(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [`${name}: ${value}`];
}
