import type { gmail_v1 } from '@googleapis/gmail';
import { ACCOUNTS_REMEDY, type Remedy } from '../../../src-preload/contract/remedies.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { shortened, visible } from '../../base/text.ts';
import { remediesOf } from '../contract.ts';
import { GoogleFailure, ownFailure } from './google-failure.ts';
import {
  type GooglePorts,
  type GoogleRequester,
  type GoogleRequestOptions,
  googleRequests,
} from './google-requests.ts';
import { addressesIn } from './mime/mail-headers.ts';
import { getHeader, type MailHeaders } from './mime/mail-part.ts';
import { canonicalLines, composeMail, OUTBOX_HEADER, type OutgoingMail } from './outgoing-mail.ts';

export type OutgoingGmailPorts = Pick<GooglePorts, 'http' | 'google' | 'vendors'>;

/** A mail with its id in the outbox. */
export interface IdentifiedMail extends OutgoingMail {
  readonly id: string;
}

/** `not_sent` is certain. With `unanswered`, Gmail may have sent the mail. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  | { readonly kind: 'not_sent'; readonly message: string; readonly remedies: readonly Remedy[] }
  | { readonly kind: 'unanswered'; readonly message: string };

export interface SignInOptions {
  readonly signal: AbortSignal;
  /** Whether to fail instead of asking the user to sign in. */
  readonly isQuiet?: boolean;
}

const TOOL = 'gmail_send';
const MAX_MESSAGE_LENGTH = 500;
/** The search begins this much earlier, for a clock that is wrong, or was when the mail was approved. */
const SEARCH_FROM_MS = 48 * 60 * 60_000;
const PAGE = 100;
/** The most pages that are looked through, newest first. A mail that is older than all of these has not been found. */
const MAX_PAGES = 3;
/** Nothing was sent if there was no connection. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** These also end an established connection, over which the request may have left. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH']);
const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** Sends mail through Gmail, and looks for it among the sent mail. */
export class OutgoingGmail {
  readonly #ports: OutgoingGmailPorts;

  constructor(ports: OutgoingGmailPorts) {
    this.#ports = ports;
  }

  /** Makes sure that there is a sign-in; the user may be asked. Rejects with `SignInFailure`. */
  async signIn({ signal, isQuiet = false }: SignInOptions): Promise<void> {
    await this.#ports.google.token('gmail', { tool: TOOL, signal, ...(isQuiet ? { isQuiet } : {}) });
  }

  /** Sends the mail with one request. It is repeated only if Gmail rejected the token. */
  async send(mail: IdentifiedMail, options: SignInOptions): Promise<SendOutcome> {
    let mayHaveLeft = false;
    try {
      const raw = (await composeMail(mail, mail.id)).toString('base64url');
      const { gmail } = await import('@googleapis/gmail');
      const requests = this.#requests(options, (mayHaveBegun) => {
        mayHaveLeft = mayHaveBegun;
      });
      const { data } = await gmail('v1').users.messages.send({ userId: 'me', requestBody: { raw } }, requests);
      return typeof data.id === 'string'
        ? { kind: 'sent', messageId: data.id }
        : { kind: 'unanswered', message: 'Gmail’s answer has no message id' };
    } catch (error) {
      const failure = ownFailure(error);
      if (failure instanceof GoogleFailure) return outcomeOf(failure);
      return mayHaveLeft && !isWithoutConnection(failure)
        ? { kind: 'unanswered', message: errorMessage(failure) }
        : notSentBecause(failure);
    }
  }

  /**
   * Returns Gmail's id of the mail, if it is among the sent mail since `since` (ms since 1970). It is found by our
   * header, or, if a server removed that, by recipients, subject and text. Rejects if that can't be told.
   */
  async findSent(mail: IdentifiedMail, since: number, options: SignInOptions): Promise<string | undefined> {
    const { gmail } = await import('@googleapis/gmail');
    const { messages } = gmail('v1').users;
    const requests = this.#requests(options);
    const from = since - SEARCH_FROM_MS;
    const query = { userId: 'me', q: `in:sent after:${Math.floor(from / 1000)}`, maxResults: PAGE };
    let pageToken: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data } = await messages.list({ ...query, ...(pageToken === undefined ? {} : { pageToken }) }, requests);
      for (const { id } of data.messages ?? [])
        if (typeof id === 'string' && (await isSame(mail, from, id, messages, requests))) return id;
      pageToken = data.nextPageToken ?? undefined;
      if (pageToken === undefined) return undefined;
    }
    throw new Error('there is too much newer mail to search');
  }

  /** No request is repeated here: the outbox itself looks again, and asks before it sends again. */
  #requests({ signal, isQuiet = false }: SignInOptions, onSent?: GoogleRequester['onSent']): GoogleRequestOptions {
    return googleRequests(
      { service: 'gmail', tool: TOOL, maxRetries: 0, isQuiet, ...(onSent === undefined ? {} : { onSent }) },
      {
        ...this.#ports,
        signal,
        allowAccess: () => Promise.reject(new Error('Gmail’s address leads to a private network')),
        onOutput: () => undefined,
      },
    );
  }
}

/** Whether the message with this id is the mail. `from` is the time that it may not be older than. */
async function isSame(
  mail: IdentifiedMail,
  from: number,
  id: string,
  messages: gmail_v1.Resource$Users$Messages,
  requests: GoogleRequestOptions,
): Promise<boolean> {
  const metadataHeaders = [OUTBOX_HEADER, 'To', 'Subject'];
  const { data: head } = await messages.get({ userId: 'me', id, format: 'metadata', metadataHeaders }, requests);
  const headers = head.payload?.headers;
  const marked = getHeader(headers, OUTBOX_HEADER).trim();
  if (marked !== '') return marked === mail.id;
  if (Number(head.internalDate) < from || !(await hasSameHead(mail, headers))) return false;
  const { data: whole } = await messages.get({ userId: 'me', id, format: 'full' }, requests);
  const text = Buffer.from(whole.payload?.body?.data ?? '', 'base64url').toString('utf8');
  return comparable(text) === comparable(mail.body);
}

/** Returns what is told of a mail that was certainly not sent, because of this error. */
export function notSentBecause(error: unknown): SendOutcome {
  const remedies = error instanceof SignInFailure ? [ACCOUNTS_REMEDY] : remediesOf(error);
  return { kind: 'not_sent', message: errorMessage(error), remedies };
}

/** Returns what became of a mail that Gmail answered like this. */
function outcomeOf(failure: GoogleFailure): SendOutcome {
  const { problem, remedies } = failure;
  const message = shortened(visible(failure.message), MAX_MESSAGE_LENGTH);
  const isTimeout = problem.code === 'unexpected' && problem.status === 408;
  return problem.code === 'unavailable' || isTimeout
    ? { kind: 'unanswered', message }
    : { kind: 'not_sent', message, remedies };
}

function isWithoutConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = systemCode(cause);
    // Such an error has others in it if Node tried several addresses.
    if (cause instanceof AggregateError) return cause.errors.every(isWithoutConnection);
    if (NO_CONNECTION.has(code)) return true;
    if (UNREACHABLE.has(code)) return 'syscall' in cause && CONNECTING.has(cause.syscall);
  }
  return false;
}

async function hasSameHead({ to, subject }: OutgoingMail, headers: MailHeaders): Promise<boolean> {
  const [sent, { decodeWords }] = await Promise.all([addressesIn(getHeader(headers, 'To')), import('postal-mime')]);
  const given = to.map(({ address }) => address.toLowerCase());
  const isSameSubject = decodeWords(getHeader(headers, 'Subject')).trim() === subject.trim();
  return isSameSubject && sent.sort().join() === given.sort().join();
}

/** Servers may change line ends, and blank lines at the end. */
function comparable(text: string): string {
  return canonicalLines(text).trimEnd();
}
