import type { gmail_v1 } from '@googleapis/gmail';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { MailListCard } from '../../../src-preload/contract/tool-card.ts';
import { shortened } from '../../base/text.ts';
import type { ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { decodeEntities } from '../web/page/html-document.ts';
import { GoogleFailure, ownFailure, withGoogleFailures } from './google-failure.ts';
import { type GoogleRequestOptions, googleRequests } from './google-requests.ts';
import { oneLine, readHeader } from './mime/mail-headers.ts';

const PREFIX = 'Error searching Gmail: ';
const NONE = 'No emails found matching your query.';
const DEFAULT_COUNT = 10;
const MAX_MESSAGES = 100;
/** Requests at the same time. Gmail answers 429 to many requests of one user at once. */
const AT_ONCE = 10;
const HEADERS = ['Date', 'From', 'Subject'];
const SHOWN_OF_QUERY = 60;

type FoundMessage = MailListCard['messages'][number];

/** Source: tool catalogue B.5. */
export const gmailSearch = defineTool({
  name: 'gmail_search',
  access: 'read',
  errorPrefix: 'Error: ',
  description:
    "Search the user's Gmail with Gmail's search syntax. Returns ID, date, sender, subject and a snippet of each message, newest first; read one with gmail_read.",
  input: z.object({
    query: z.string().describe('As in the search field of Gmail: is:unread, from:ada@example.com newer_than:7d'),
    maxResults: z.number().min(1).max(MAX_MESSAGES).default(DEFAULT_COUNT).describe('How many messages, 1 to 100'),
  }),
  aliases: { max_results: 'maxResults' },
  words: { title: 'Search mail', done: 'Searched mail:', icon: 'mail', about: ['query'] },
  manual: {
    example: { query: 'is:unread newer_than:7d', maxResults: 20 },
    limits: ['1 to 100 messages, 10 by default.', 'Spam and trash are searched only if the query names them.'],
  },
  async assess({ query, maxResults }) {
    const access = [{ kind: 'account', class: 'read', account: 'gmail' } as const];
    return { access, plan: { query, count: Math.trunc(maxResults) } };
  },
  async execute({ query, count }, context) {
    const messages = await withGoogleFailures(PREFIX, () => search(query, count, context));
    context.card({ kind: 'mail-list', query, messages });
    if (messages.length === 0) return NONE;
    context.mark({ kind: 'untrusted', source: `mail found by “${shortened(oneLine(query), SHOWN_OF_QUERY)}”` });
    return messages.map(block).join('\n\n');
  },
});

async function search(query: string, count: number, context: ToolContext): Promise<readonly FoundMessage[]> {
  const { gmail } = await import('@googleapis/gmail');
  const { messages } = gmail('v1').users;
  const options = googleRequests({ service: 'gmail', tool: gmailSearch.name }, context);
  const ids = await idsOf(messages, query, count, options);
  const atOnce = pLimit(AT_ONCE);
  try {
    const found = await Promise.all(ids.map((id) => atOnce(() => metadataOf(messages, id, options))));
    return found.filter((message) => message !== undefined);
  } finally {
    // After a failure, nothing more is requested.
    atOnce.clearQueue();
  }
}

/** A page may have fewer messages than were asked for. */
async function idsOf(
  messages: gmail_v1.Resource$Users$Messages,
  query: string,
  count: number,
  options: GoogleRequestOptions,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await messages.list(
      { userId: 'me', q: query, maxResults: count - ids.length, ...(pageToken === undefined ? {} : { pageToken }) },
      options,
    );
    for (const { id } of data.messages ?? []) if (typeof id === 'string') ids.push(id);
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken !== undefined && ids.length < count);
  return ids.slice(0, count);
}

/** Resolves with `undefined` if the message was deleted meanwhile. */
async function metadataOf(
  messages: gmail_v1.Resource$Users$Messages,
  id: string,
  options: GoogleRequestOptions,
): Promise<FoundMessage | undefined> {
  try {
    const { data } = await messages.get({ userId: 'me', id, format: 'metadata', metadataHeaders: HEADERS }, options);
    const headers = data.payload?.headers;
    const [date, from, subject] = await Promise.all(HEADERS.map((name) => readHeader(headers, name)));
    const snippet = oneLine(await decodeEntities(data.snippet ?? ''));
    return { id, date: date ?? '', from: from ?? '', subject: subject ?? '', snippet };
  } catch (error) {
    const failure = ownFailure(error);
    if (failure instanceof GoogleFailure && failure.problem.code === 'not_found') return undefined;
    throw error;
  }
}

function block({ id, date, from, subject, snippet }: FoundMessage): string {
  const lines = [`ID: ${id}`, `Date: ${date}`, `From: ${from}`, `Subject: ${subject}`, `Snippet: ${snippet}`];
  return lines.map((line) => line.trimEnd()).join('\n  ');
}
