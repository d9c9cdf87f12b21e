import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';
import { ServerFailure, type ServerProblem } from '../status/server-problem.ts';
import { responseText } from './response-text.ts';

const MAX_TYPE_LENGTH = 100;

/** The HTTP status of an SDK error. */
export function statusOf(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('data' in cause && isRecord(cause.data) && typeof cause.data.status === 'number') return cause.data.status;
    if ('code' in cause && typeof cause.code === 'number' && cause.code >= 400 && cause.code < 600) return cause.code;
  }
  return undefined;
}

/**
 * The server no longer knows the session. Only the status of a response says that: an error in an answer may have the
 * same number.
 */
export function isSessionGone(error: unknown): boolean {
  return isNamed(error, 'SdkHttpError') && statusOf(error) === 404;
}

/** The server requires a sign-in or more scopes. */
export function isSignIn(error: unknown): boolean {
  return isNamed(error, 'UnauthorizedError') || statusOf(error) === 401 || isScopeMissing(error);
}

/** The server requires scopes beyond those granted at sign-in. */
export function isScopeMissing(error: unknown): boolean {
  return isNamed(error, 'InsufficientScopeError');
}

function isNamed(error: unknown, name: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause.name === name) return true;
  return false;
}

/** Why a connection failed, in the server's words with secrets removed. */
export async function problemOf(error: unknown, redact: (text: string) => string): Promise<ServerProblem> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ServerFailure) return cause.problem;
  const status = statusOf(error);
  if (status !== undefined) {
    // Again afterwards: in JSON and in a page, a secret may be written with escapes.
    const text = redact(await responseText(redact(bodyOf(error, status)), status));
    return { code: 'http_status', status, text };
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'HttpFailure') return { code: 'unreachable', reason: redact(cause.message) };
    const type = 'data' in cause && isRecord(cause.data) ? cause.data.contentType : undefined;
    if (typeof type === 'string') return { code: 'other_content', mediaType: redact(mediaTypeIn(type)) };
  }
  return { code: 'protocol', reason: redact(errorMessage(error)) };
}

/** What the SDK kept of the response; about a redirect, it says in its own words why it was not followed. */
function bodyOf(error: unknown, status: number): string {
  if (status >= 300 && status < 400) return errorMessage(error);
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('data' in cause && isRecord(cause.data) && typeof cause.data.text === 'string') return cause.data.text;
  return '';
}

function mediaTypeIn(contentType: string): string {
  return shortened(contentType.replace(/;.*/s, '').trim().toLowerCase(), MAX_TYPE_LENGTH);
}
