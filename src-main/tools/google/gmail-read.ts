import { z } from 'zod';
import { shortened } from '../../base/text.ts';
import type { ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { withGoogleFailures } from './google-failure.ts';
import { googleRequests } from './google-requests.ts';
import { plainLinks } from './mail-links.ts';
import { attachmentNames, readHeader } from './mime/mail-headers.ts';
import { messageText } from './mime/message-text.ts';

const PREFIX = 'Error reading email: ';
const NO_TEXT = '(no text content)';
const SHOWN_OF_SENDER = 80;

/** Source: tool catalogue B.5. */
export const gmailRead = defineTool({
  name: 'gmail_read',
  access: 'read',
  errorPrefix: 'Error: ',
  description:
    "Read one message of the user's Gmail: sender, recipients, date, subject and text. Attachments are not read.",
  input: z.object({ messageId: z.string().describe('ID of the message, from gmail_search') }),
  aliases: { message_id: 'messageId', id: 'messageId' },
  words: { title: 'Read mail', done: 'Read mail', nothing: 'it has no text.', icon: 'mail', about: [] },
  manual: {
    example: { messageId: '18c2f0a1b2c3d4e5' },
    limits: ['HTML is read as text, and nothing in it is loaded.', 'Attachments are not read.'],
  },
  async assess({ messageId }) {
    return { access: [{ kind: 'account', class: 'read', account: 'gmail' } as const], plan: { id: messageId } };
  },
  async execute({ id }, context) {
    return withGoogleFailures(PREFIX, async () => {
      const { text, links, headers, attachments } = await readMessage(id, context);
      const { from, to, date, subject } = headers;
      const sender = /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from;
      context.mark({
        kind: 'untrusted',
        source: sender.trim() === '' ? 'mail' : `mail from ${shortened(sender.trim(), SHOWN_OF_SENDER)}`,
      });
      context.links(plainLinks(links));
      context.card({ kind: 'mail', id, from, to, subject, date, attachments });
      const lines = [`From: ${from}`, `To: ${to}`, `Date: ${date}`, `Subject: ${subject}`];
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
  const [from = '', to = '', date = '', subject = ''] = await Promise.all(
    ['From', 'To', 'Date', 'Subject'].map((name) => readHeader(payload.headers, name)),
  );
  return { text, links, headers: { from, to, date, subject }, attachments: await attachmentNames(payload) };
}
