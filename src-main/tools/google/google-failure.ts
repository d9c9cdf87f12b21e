import { ACCOUNTS_REMEDY } from '../../../src-preload/contract/remedies.ts';
import { apiOffText } from '../../accounts/google/google-problem.ts';
import { googleServiceNames } from '../../accounts/google/google-scopes.ts';
import type { GoogleService } from '../../accounts/google/google-service.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parsedJson } from '../../base/json.ts';
import { HttpFailure, type HttpResponse } from '../../network/http.ts';
import { retryAfterMs } from '../../network/retry-after.ts';
import { FixableError, ToolFailure } from '../contract.ts';

/**
 * Why Google did not do what it was asked, as data; `googleProblemText` makes the sentence. `message` is in Google's
 * words, and may be empty.
 */
export type GoogleProblem =
  | { readonly code: 'bad_request'; readonly message: string }
  | { readonly code: 'sign_in_rejected'; readonly service: GoogleService }
  /** The API is not enabled in the Google Cloud project of the client. */
  | { readonly code: 'api_off'; readonly service: GoogleService }
  /** The user did not grant this scope when they signed in. */
  | { readonly code: 'scope_missing'; readonly service: GoogleService }
  | { readonly code: 'forbidden'; readonly service: GoogleService; readonly message: string }
  | { readonly code: 'not_found'; readonly service: GoogleService }
  /** Something with this id exists already. */
  | { readonly code: 'conflict'; readonly message: string }
  /** `seconds` says after which time Google wants to be asked again, if it says so. */
  | { readonly code: 'too_many_requests'; readonly seconds: number | undefined }
  | { readonly code: 'unavailable'; readonly status: number }
  /** A redirect is one of these: a request with a token never follows it. */
  | { readonly code: 'unexpected'; readonly status: number; readonly message: string };

/** Problems that are solved in the section *Accounts* of the settings. */
const SOLVED_IN_ACCOUNTS: ReadonlySet<GoogleProblem['code']> = new Set([
  'sign_in_rejected',
  'scope_missing',
  'api_off',
]);

export class GoogleFailure extends FixableError {
  override readonly name = 'GoogleFailure';
  readonly problem: GoogleProblem;

  constructor(problem: GoogleProblem, options?: ErrorOptions) {
    super(googleProblemText(problem), {
      ...options,
      remedies: SOLVED_IN_ACCOUNTS.has(problem.code) ? [ACCOUNTS_REMEDY] : [],
    });
    this.problem = problem;
  }
}

export function googleProblemText(problem: GoogleProblem): string {
  switch (problem.code) {
    case 'bad_request':
      return `Google did not accept the request${said(problem.message)}`;
    case 'sign_in_rejected':
      return `Google did not accept the sign-in. Connect ${googleServiceNames[problem.service]} again in Settings, under Accounts`;
    case 'api_off':
      return apiOffText(problem.service);
    case 'scope_missing':
      return `The sign-in does not include this permission. Disconnect ${googleServiceNames[problem.service]} in Settings, under Accounts, connect it again, and allow everything that Google's page lists`;
    case 'forbidden':
      return `Google refused access${said(problem.message)}. Check that the ${googleServiceNames[problem.service]} API is switched on in your Google Cloud project and, while its consent screen is in testing, that this account is one of its test users`;
    case 'not_found':
      return problem.service === 'gmail' ? 'There is no such message' : 'There is no such event or calendar';
    case 'conflict':
      return `Google already has something with this ID${said(problem.message)}`;
    case 'too_many_requests':
      return `Google is getting too many requests from this account. Try again ${problem.seconds === undefined ? 'later' : `in ${duration(problem.seconds)}`}`;
    case 'unavailable':
      return `Google has a problem at the moment (HTTP ${problem.status}). Try again later`;
    case 'unexpected':
      return `Google sent an unexpected answer (HTTP ${problem.status})${said(problem.message)}`;
  }
}

function said(message: string): string {
  return message === '' ? '' : `: ${message.replace(/\.$/, '')}`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}

/** Returns the problem in an answer with this status. `body` is as received, and `retryAfter` is in seconds. */
export function googleProblem(
  service: GoogleService,
  status: number,
  body: string,
  retryAfter: number | undefined,
): GoogleProblem {
  const { message, reasons } = errorIn(body);
  switch (status) {
    case 400:
      return { code: 'bad_request', message };
    case 401:
      return { code: 'sign_in_rejected', service };
    case 403:
      return forbidden(service, message, reasons, retryAfter);
    case 404:
    case 410:
      return { code: 'not_found', service };
    case 409:
      return { code: 'conflict', message };
    case 429:
      return { code: 'too_many_requests', seconds: retryAfter };
    default:
      return status >= 500 ? { code: 'unavailable', status } : { code: 'unexpected', status, message };
  }
}

const OFF = new Set(['accessNotConfigured', 'SERVICE_DISABLED']);
const SCOPE = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficientScopes']);
/** Google's older ways to say 429. Source: https://developers.google.com/workspace/gmail/api/guides/handle-errors */
const RATE = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded']);

function forbidden(
  service: GoogleService,
  message: string,
  reasons: readonly string[],
  retryAfter: number | undefined,
): GoogleProblem {
  if (reasons.some((reason) => OFF.has(reason))) return { code: 'api_off', service };
  if (reasons.some((reason) => SCOPE.has(reason))) return { code: 'scope_missing', service };
  if (reasons.some((reason) => RATE.has(reason))) return { code: 'too_many_requests', seconds: retryAfter };
  return { code: 'forbidden', service, message };
}

/** Reads the form of https://google.aip.dev/193, and `errors`, which the older APIs send as well. */
function errorIn(body: string): { readonly message: string; readonly reasons: readonly string[] } {
  const answer = parsedJson(body);
  // A proxy's page, for example, is no JSON.
  const error = isRecord(answer) ? answer.error : undefined;
  if (!isRecord(error)) return { message: '', reasons: [] };
  const { message, errors, details } = error;
  const entries: readonly unknown[] = [errors, details].flatMap((each) => (Array.isArray(each) ? each : []));
  const reasons = entries.flatMap((each) => (isRecord(each) && typeof each.reason === 'string' ? [each.reason] : []));
  return { message: typeof message === 'string' ? message : '', reasons };
}

/** Prefixes any error from `work` with the tool's own text, without what `@googleapis` wraps around it. */
export async function withGoogleFailures<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = ownFailure(error);
    if (failure instanceof ToolFailure) throw failure;
    const cause =
      failure instanceof SignInFailure
        ? new FixableError(failure.message, { cause: error, remedies: [ACCOUNTS_REMEDY] })
        : error;
    throw new ToolFailure(`${prefix}${errorMessage(failure)}`, { cause });
  }
}

/** Returns the failure of our own that caused this error, or else the error itself. */
export function ownFailure(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (OWN_FAILURES.some((failure) => cause instanceof failure)) return cause;
  return error;
}

const OWN_FAILURES = [GoogleFailure, SignInFailure, ToolFailure, HttpFailure];

/** Returns in how many seconds Google wants to be asked again, if it says so. */
export function retryAfterSeconds({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
  const waitMs = retryAfterMs(headers['retry-after'], Date.now());
  return waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000);
}
