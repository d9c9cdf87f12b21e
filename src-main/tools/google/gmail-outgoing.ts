import { errorMessage, systemCode } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { shortened, visible } from '../../base/text.ts';
import { type HttpClient, type HttpRequest, type HttpResponse, isSuccess } from '../../network/http.ts';
import type { GoogleAccounts } from '../contract.ts';
import { googleProblem, googleProblemText } from './google-failure.ts';
import { canonicalLines, composeMail, OUTBOX_HEADER, type OutgoingMail } from './outgoing-mail.ts';

export interface OutgoingGmailPorts {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly google: Pick<GoogleAccounts, 'token'>;
  /** Of googleapis, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** A mail with its id in the outbox. */
export interface IdentifiedMail extends OutgoingMail {
  readonly id: string;
}

/** `not_sent`: certainly. `unanswered`: Gmail may have sent it. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  | { readonly kind: 'not_sent' | 'unanswered'; readonly message: string };

export interface SignInOptions {
  readonly signal: AbortSignal;
  /** Fail instead of asking the user to sign in. */
  readonly isQuiet?: boolean;
}

const TOOL = 'gmail_send';
const SEND_WITHIN_MS = 60_000;
const LONGEST_MESSAGE = 500;
/** For clocks that differ. */
const SEARCH_FROM_MS = 60 * 60_000;
const PAGE = 100;
/** Newest first; a mail that is older than all of these has not been found. */
const MOST_PAGES = 3;
/** Nothing was sent if there was no connection. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Sends mail through Gmail, and looks for it among the sent mail. */
export class OutgoingGmail {
  readonly #ports: OutgoingGmailPorts;

  constructor(ports: OutgoingGmailPorts) {
    this.#ports = ports;
  }

  /** Makes sure that there is a sign-in; the user may be asked. Rejects with `SignInFailure`. */
  async signIn(options: SignInOptions): Promise<void> {
    await this.#token(options);
  }

  /** One request; it is repeated only if Gmail rejected the token. Rejects only if there was no request. */
  async send(mail: IdentifiedMail, options: SignInOptions): Promise<SendOutcome> {
    const raw = (await composeMail(mail, mail.id)).toString('base64url');
    const body = JSON.stringify({ raw });
    const token = await this.#token(options);
    let response: HttpResponse;
    try {
      response = await this.#request('/messages/send', token, options, body);
      if (response.status === 401)
        response = await this.#request('/messages/send', await this.#token(options, token), options, body);
    } catch (error) {
      return { kind: isWithoutConnection(error) ? 'not_sent' : 'unanswered', message: errorMessage(error) };
    }
    const { status } = response;
    const answer = jsonOf(response);
    if (isSuccess(status))
      return typeof answer.id === 'string'
        ? { kind: 'sent', messageId: answer.id }
        : { kind: 'unanswered', message: 'Gmail’s answer has no message id' };
    const isUnclear = status >= 500 || status === 408;
    return { kind: isUnclear ? 'unanswered' : 'not_sent', message: problemOf(response) };
  }

  /**
   * Gmail's id of the mail, if it is among the sent mail since `since` (ms since 1970): by our header, or by recipients, subject and text if a
   * server removed it. Rejects if that can't be told.
   */
  async findSent(mail: IdentifiedMail, since: number, options: SignInOptions): Promise<string | undefined> {
    const token = await this.#token(options);
    const query = new URLSearchParams({
      q: `in:sent after:${Math.floor((since - SEARCH_FROM_MS) / 1000)}`,
      maxResults: String(PAGE),
    });
    for (let page = 0; page < MOST_PAGES; page += 1) {
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
    token: string,
    options: SignInOptions,
  ): Promise<boolean> {
    const path = `/messages/${encodeURIComponent(id)}`;
    const query = new URLSearchParams({ format: 'metadata' });
    for (const name of [OUTBOX_HEADER, 'To', 'Subject']) query.append('metadataHeaders', name);
    const message = await this.#get(`${path}?${query}`, token, options);
    const headers = headersOf(message);
    const marked = headers.get(OUTBOX_HEADER.toLowerCase());
    if (marked !== undefined) return marked.trim() === mail.id;
    if (Number(message.internalDate) < since || !(await hasSameHead(mail, headers))) return false;
    return textOf(await this.#get(`${path}?format=full`, token, options)) === comparable(mail.body);
  }

  async #get(path: string, token: string, options: SignInOptions): Promise<Readonly<Record<string, unknown>>> {
    let response = await this.#request(path, token, options);
    if (response.status === 401) response = await this.#request(path, await this.#token(options, token), options);
    if (!isSuccess(response.status)) throw new Error(problemOf(response));
    return jsonOf(response);
  }

  #token({ signal, isQuiet }: SignInOptions, rejected?: string): Promise<string> {
    return this.#ports.google.token('gmail', {
      ...{ tool: TOOL, signal },
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

function isWithoutConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (NO_CONNECTION.test(systemCode(cause))) return true;
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

function problemOf({ status, body, headers }: HttpResponse): string {
  const seconds = Number(headers['retry-after']);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  const text = googleProblemText(googleProblem('gmail', status, body.toString('utf8'), retryAfter));
  return shortened(visible(text), LONGEST_MESSAGE);
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** By name in lower case; the first of each. */
function headersOf({ payload }: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of recordsOf(isRecord(payload) ? payload.headers : undefined))
    if (typeof name === 'string' && typeof value === 'string' && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value);
  return headers;
}

async function hasSameHead({ to, subject }: OutgoingMail, headers: ReadonlyMap<string, string>): Promise<boolean> {
  const [{ default: parse }, { default: libmime }] = await Promise.all([
    import('nodemailer/lib/addressparser'),
    import('libmime'),
  ]);
  const sent = parse(headers.get('to') ?? '', { flatten: true }).map(({ address }) => address.toLowerCase());
  const given = to.map(({ address }) => address.toLowerCase());
  const isSameSubject = libmime.decodeWords(headers.get('subject') ?? '').trim() === subject.trim();
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
