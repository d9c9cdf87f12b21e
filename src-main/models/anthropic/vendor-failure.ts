import { retryAfterMs } from '../../network/retry-after.ts';
import { ModelError } from '../provider.ts';
import type { VendorError } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';

/**
 * The errors that the service itself reports. Source: https://platform.claude.com/docs/en/api/errors.
 * Its own message is quoted at the end, because it often says more.
 */
export function vendorFailure(error: VendorError, context: FailureContext): RequestFailure {
  const { host, model } = context;
  const said = error.text === '' ? '' : ` It said: ${error.text}`;
  const waitMs = waitStated(error.headers, context.now());
  switch (kindOf(error)) {
    case 'no_credit':
      return requestFailed(
        new ModelError(
          'no_credit',
          `The Anthropic account has no credit left or reached its spending limit. Add credit or raise the limit at https://platform.claude.com/settings/billing, then try again.${said}`,
        ),
      );
    case 'wrong_key':
      return requestFailed(
        new ModelError(
          'wrong_key',
          `${host} does not accept the API key. Check it in Settings (or in ANTHROPIC_API_KEY): it may be mistyped, deleted or for another service.${said}`,
        ),
      );
    case 'no_permission':
      return requestFailed(
        new ModelError(
          'no_permission',
          `The API key may not use the model "${model}" or this service. Choose another model, or ask the account's administrator.${said}`,
        ),
      );
    case 'unknown_model':
      return requestFailed(
        new ModelError(
          'unknown_model',
          `${host} does not know the model "${model}" (404 not found). Choose another model in Settings or with --model; check the base URL if you set one.${said}`,
        ),
      );
    case 'request_too_large':
      return requestFailed(
        new ModelError(
          'request_too_large',
          `The request is too large for ${host} (limit 32 MB). Start a new conversation, or send fewer or smaller images and files.${said}`,
        ),
      );
    case 'context_too_long':
      return requestFailed(
        new ModelError(
          'context_too_long',
          `The conversation no longer fits into the context window of ${model}. Start a new conversation or shorten the message.${said}`,
        ),
      );
    case 'rate_limited': {
      const wait = waitMs === undefined ? 'Wait a minute' : `Wait ${Math.ceil(waitMs / 1000)} seconds`;
      const limited = new ModelError(
        'rate_limited',
        `You've reached Anthropic's rate limit for this key. ${wait}, then try again; your message is kept.${said}`,
        { retryAfterMs: waitMs },
      );
      return requestFailed(limited, isWorthRetrying(error, true));
    }
    case 'overloaded': {
      const overloaded = new ModelError(
        'overloaded',
        `Anthropic is overloaded. Your message is kept: try again in a few minutes, or choose another model.${said}`,
        { retryAfterMs: waitMs },
      );
      return requestFailed(overloaded, isWorthRetrying(error, true));
    }
    case 'server_error': {
      const shown = error.status === undefined ? (error.type ?? '') : `HTTP ${error.status}`;
      const broken = new ModelError(
        'server_error',
        `The service failed (${shown}). Your message is kept: try again. Known problems: https://status.claude.com${said}`,
        { retryAfterMs: waitMs, status: error.status },
      );
      return requestFailed(broken, isWorthRetrying(error, error.status !== 501));
    }
    case 'bad_request': {
      const refused = new ModelError(
        'bad_request',
        `${host} refused the request (${error.status ? `HTTP ${error.status}` : (error.type ?? 'no reason given')}).${said}`,
        { retryAfterMs: waitMs },
      );
      return { error: refused, isRetryable: isWorthRetrying(error, false), refusesThinking: thinkingRefusal(error) };
    }
  }
}

type Kind =
  | 'no_credit'
  | 'wrong_key'
  | 'no_permission'
  | 'unknown_model'
  | 'request_too_large'
  | 'context_too_long'
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'bad_request';

const KIND_BY_TYPE: Readonly<Record<string, Kind>> = {
  authentication_error: 'wrong_key',
  billing_error: 'no_credit',
  permission_error: 'no_permission',
  not_found_error: 'unknown_model',
  request_too_large: 'request_too_large',
  rate_limit_error: 'rate_limited',
  overloaded_error: 'overloaded',
  api_error: 'server_error',
  timeout_error: 'server_error',
};

const KIND_BY_STATUS: Readonly<Record<number, Kind>> = {
  401: 'wrong_key',
  402: 'no_credit',
  403: 'no_permission',
  404: 'unknown_model',
  413: 'request_too_large',
  429: 'rate_limited',
  529: 'overloaded',
};

/** Determined by the status, or by the type of an error in the middle of a stream, which has no status. */
function kindOf({ status, type, text }: VendorError): Kind {
  // The API reports both with the type of any bad request; only the message distinguishes them.
  if (status === undefined || status === 400 || status === 403) {
    if (/credit balance is too low|spend(ing)? limit|usage limits?\b/i.test(text)) return 'no_credit';
  }
  if (status === undefined || status === 400) {
    if (/prompt is too long|exceeds? (the )?(context|maximum context)|context (window|length|limit)/i.test(text)) {
      return 'context_too_long';
    }
  }
  if (status === undefined) return KIND_BY_TYPE[type ?? ''] ?? 'bad_request';
  if (type === 'overloaded_error') return 'overloaded';
  return KIND_BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'bad_request');
}

/** The service may state it explicitly; https://github.com/anthropics/anthropic-sdk-typescript obeys the same header. */
function isWorthRetrying({ headers }: VendorError, byDefault: boolean): boolean {
  const said = headers?.get('x-should-retry');
  return said === 'true' || (said !== 'false' && byDefault);
}

/**
 * Thinking blocks of newer models are bound to the model, the account and the conversation before them. A changed tool
 * list, a compaction or another model makes the API refuse them with a 400; the request is fine without them.
 */
function thinkingRefusal({ status, text }: VendorError): RequestFailure['refusesThinking'] {
  if (status !== 400 || !/thinking/i.test(text)) return undefined;
  return /signature|bound to|thinking`? blocks?|messages\.\d+\.content/i.test(text) ? 'block' : 'parameter';
}

/** Milliseconds, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitStated(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers?.get('retry-after'), now);
}
