import { ACCOUNTS_REMEDY, type Remedy } from '../../../src-preload/contract/remedies.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { shortened, visible } from '../../base/text.ts';
import { type HttpClient, type HttpRequest, type HttpResponse, isSuccess } from '../../network/http.ts';
import { remediesOf } from '../contract.ts';
import { AccountToken } from './account-token.ts';
import type { GoogleAccounts } from './google-accounts.ts';
import { GoogleFailure, googleProblem, retryAfterSeconds } from './google-failure.ts';
import { addressesIn } from './mime/mail-headers.ts';
import { getHeader, type MailHeaders } from './mime/mail-part.ts';
import { canonicalLines, composeMail, OUTBOX_HEADER, type OutgoingMail } from './outgoing-mail.ts';

export interface OutgoingGmailPorts {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly google: Pick<GoogleAccounts, 'token'>;
  /** The base URL of googleapis, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** A mail with its id in the outbox. */
export interface IdentifiedMail extends OutgoingMail {
  readonly id: string;
}

/** `not_sent`: certainly. `unanswered`: Gmail may have sent it. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  | { readonly kind: 'not_sent'; readonly message: string; readonly remedies: readonly Remedy[] }
  | { readonly kind: 'unanswered'; readonly message: string };

export interface SignInOptions {
  readonly signal: AbortSignal;
  /** Fail instead of asking the user to sign in. */
  readonly isQuiet?: boolean;
}

const TOOL = 'gmail_send';
const SEND_WITHIN_MS = 60_000;
const MAX_MESSAGE_LENGTH = 500;
/** For a clock that is wrong, or was when the mail was approved. */
const SEARCH_FROM_MS = 48 * 60 * 60_000;
const PAGE = 100;
/** Newest first; a mail that is older than all of these has not been found. */
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
  async signIn(options: SignInOptions): Promise<void> {
    await this.#requestToken(options);
  }

  /** One request; it is repeated only if Gmail rejected the token. */
  async send(mail: IdentifiedMail, options: SignInOptions): Promise<SendOutcome> {
    let mayHaveLeft = false;
    try {
      const raw = (await composeMail(mail, mail.id)).toString('base64url');
      const body = JSON.stringify({ raw });
      const response = await this.#token(options).use(async (token) => {
        mayHaveLeft = true;
        const answer = await this.#request('/messages/send', token, options, body);
        mayHaveLeft = answer.status !== 401;
        return answer;
      });
      return outcomeOf(response);
    } catch (error) {
      return mayHaveLeft && !isWithoutConnection(error)
        ? { kind: 'unanswered', message: errorMessage(error) }
        : notSentBecause(error);
    }
  }

  /**
   * Gmail's id of the mail, if it is among the sent mail since `since` (ms since 1970): by our header, or by
   * recipients, subject and text if a server removed it. Rejects if that can't be told.
   */
  async findSent(mail: IdentifiedMail, since: number, options: SignInOptions): Promise<string | undefined> {
    const token = this.#token(options);
    const query = new URLSearchParams({
      q: `in:sent after:${Math.floor((since - SEARCH_FROM_MS) / 1000)}`,
      maxResults: String(PAGE),
    });
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const listed = await this.#get(`/messages?${query}`, token, options);
      for (const { id } of recordsOf(listed.messages))
        if (typeof id === 'string' && (await this.#isSame(mail, since, id, token, options))) return id;
      if (typeof listed.nextPageToken !== 'string') return undefined;
      query.set('pageToken', listed.nextPageToken);
    }
    throw new Error('there is too much newer mail to search');
  }

  async #isSame(
    mail: IdentifiedMail,
    since: number,
    id: string,
    token: AccountToken,
    options: SignInOptions,
  ): Promise<boolean> {
    const path = `/messages/${encodeURIComponent(id)}`;
    const query = new URLSearchParams({ format: 'metadata' });
    for (const name of [OUTBOX_HEADER, 'To', 'Subject']) query.append('metadataHeaders', name);
    const message = await this.#get(`${path}?${query}`, token, options);
    const headers = headersOf(message);
    const marked = getHeader(headers, OUTBOX_HEADER).trim();
    if (marked !== '') return marked === mail.id;
    if (Number(message.internalDate) < since - SEARCH_FROM_MS || !(await hasSameHead(mail, headers))) return false;
    return textOf(await this.#get(`${path}?format=full`, token, options)) === comparable(mail.body);
  }

  async #get(path: string, token: AccountToken, options: SignInOptions): Promise<Readonly<Record<string, unknown>>> {
    const response = await token.use((current) => this.#request(path, current, options));
    if (!isSuccess(response.status)) throw failureIn(response);
    return jsonOf(response);
  }

  #token(options: SignInOptions): AccountToken {
    return new AccountToken((rejected) => this.#requestToken(options, rejected));
  }

  #requestToken({ signal, isQuiet }: SignInOptions, rejected?: string): Promise<string> {
    return this.#ports.google.token('gmail', {
      tool: TOOL,
      signal,
      ...(isQuiet === true ? { isQuiet } : {}),
      ...(rejected === undefined ? {} : { rejected }),
    });
  }

  /** The token goes to this address only: redirects are not followed. */
  #request(path: string, token: string, { signal }: SignInOptions, body?: string): Promise<HttpResponse> {
    const { http, baseUrl } = this.#ports;
    const request: HttpRequest = {
      url: `${baseUrl()}/gmail/v1/users/me${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      maxRedirects: 0,
      timeoutMs: SEND_WITHIN_MS,
    };
    const authorized = [http.access(request.url, request.method ?? 'GET')];
    const allowAccess = () => Promise.reject(new Error('Gmail’s address leads to a private network'));
    return http.request(request, { signal, authorized, allowAccess });
  }
}

/** What is told of a mail that was certainly not sent, because of this. */
export function notSentBecause(error: unknown): SendOutcome {
  const remedies = error instanceof SignInFailure ? [ACCOUNTS_REMEDY] : remediesOf(error);
  return { kind: 'not_sent', message: errorMessage(error), remedies };
}

function outcomeOf(response: HttpResponse): SendOutcome {
  const { status } = response;
  if (isSuccess(status)) {
    const { id } = jsonOf(response);
    return typeof id === 'string'
      ? { kind: 'sent', messageId: id }
      : { kind: 'unanswered', message: 'Gmail’s answer has no message id' };
  }
  const failure = failureIn(response);
  if (status >= 500 || status === 408) return { kind: 'unanswered', message: shownMessage(failure) };
  return { kind: 'not_sent', message: shownMessage(failure), remedies: failure.remedies };
}

function isWithoutConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = systemCode(cause);
    // Node tried several addresses.
    if (cause instanceof AggregateError) return cause.errors.every(isWithoutConnection);
    if (NO_CONNECTION.has(code)) return true;
    if (UNREACHABLE.has(code)) return 'syscall' in cause && CONNECTING.has(cause.syscall);
  }
  return false;
}

function jsonOf({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function failureIn(response: HttpResponse): GoogleFailure {
  const { status, body } = response;
  return new GoogleFailure(googleProblem('gmail', status, body.toString('utf8'), retryAfterSeconds(response)));
}

function shownMessage(error: unknown): string {
  return shortened(visible(errorMessage(error)), MAX_MESSAGE_LENGTH);
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function headersOf({ payload }: Readonly<Record<string, unknown>>): MailHeaders {
  return recordsOf(isRecord(payload) ? payload.headers : undefined).flatMap(({ name, value }) =>
    typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [],
  );
}

async function hasSameHead({ to, subject }: OutgoingMail, headers: MailHeaders): Promise<boolean> {
  const [sent, { decodeWords }] = await Promise.all([addressesIn(getHeader(headers, 'To')), import('postal-mime')]);
  const given = to.map(({ address }) => address.toLowerCase());
  const isSameSubject = decodeWords(getHeader(headers, 'Subject')).trim() === subject.trim();
  return isSameSubject && sent.sort().join() === given.sort().join();
}

function textOf({ payload }: Readonly<Record<string, unknown>>): string | undefined {
  const body = isRecord(payload) ? payload.body : undefined;
  const coded = isRecord(body) && typeof body.data === 'string' ? body.data : '';
  return comparable(Buffer.from(coded, 'base64url').toString('utf8'));
}

/** Servers may change line ends, and blank lines at the end. */
function comparable(text: string): string {
  return canonicalLines(text).trimEnd();
}
