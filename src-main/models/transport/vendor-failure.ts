import { retryAfterMs } from '../../network/retry-after.ts';
import { ModelError } from '../provider.ts';
import type { VendorError } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';
import { type FailureKind, limitText } from './service.ts';

/**
 * Turns an error that a service itself reports into a failure. The service's own message is quoted at the end, because
 * it often says more.
 */
export function vendorFailure(error: VendorError, context: FailureContext): RequestFailure {
  const kind = context.service.kindOf(error);
  const waitMs = waitStated(error.headers, context.now());
  const said = error.text === '' ? '' : ` It said: ${error.text}`;
  const failure = new ModelError(kind, TEXTS[kind](context, error, waitMs) + said, {
    retryAfterMs: waitMs,
    ...(kind === 'server_error' ? { status: error.status } : {}),
  });
  const isRetryable = isWorthRetrying(kind, error);
  return kind === 'bad_request'
    ? { error: failure, isRetryable, ...refusals(error, context) }
    : requestFailed(failure, isRetryable);
}

/** For each kind, says what happened and what to do. */
const TEXTS: Readonly<
  Record<FailureKind, (context: FailureContext, error: VendorError, waitMs: number | undefined) => string>
> = {
  no_credit: ({ service: { vendor } }) => {
    const where = vendor.billingPage === undefined ? '' : ` at ${vendor.billingPage}`;
    return `The ${vendor.name} account has no credit left or reached its spending limit. Add credit or raise the limit${where}, then try again.`;
  },
  wrong_key: ({ service: { host, vendor } }) => {
    const orVariable = vendor.keyVariable === undefined ? '' : ` (or in ${vendor.keyVariable})`;
    return `${host} does not accept the API key. Check it in Settings${orVariable}: it may be mistyped, deleted or for another service.`;
  },
  no_permission: ({ model }) =>
    `The API key may not use the model "${model}" or this service. Choose another model, or ask the account's administrator.`,
  unknown_model: ({ model, service: { host } }) =>
    `${host} does not know the model "${model}" (404 not found). Choose another model in Settings or with --model; check the base URL if you set one.`,
  request_too_large: ({ service: { host, maxRequestBytes } }) =>
    `The request is too large for ${host}${limitText(maxRequestBytes)}. Start a new conversation, or send fewer or smaller images and files.`,
  context_too_long: ({ model }) =>
    `The conversation no longer fits into the context window of ${model}. Start a new conversation or shorten the message.`,
  rate_limited: ({ service: { vendor } }, _, waitMs) => {
    const wait = waitMs === undefined ? 'Wait a minute' : `Wait ${Math.ceil(waitMs / 1000)} seconds`;
    return `You've reached ${vendor.name}'s rate limit for this key. ${wait}, then try again; your message is kept.`;
  },
  overloaded: ({ service: { vendor } }) =>
    `${vendor.name} is overloaded. Your message is kept: try again in a few minutes, or choose another model.`,
  server_error: ({ service: { vendor } }, error) => {
    const known = vendor.statusPage === undefined ? '' : ` Known problems: ${vendor.statusPage}`;
    return `The service failed (${reasonOf(error)}). Your message is kept: try again.${known}`;
  },
  bad_request: ({ service: { host } }, error) => `${host} refused the request (${reasonOf(error)}).`,
};

function reasonOf({ status, code, type }: VendorError): string {
  return status === undefined ? (code ?? type ?? 'no reason given') : `HTTP ${status}`;
}

/** Returns what the service would take the request without. */
function refusals(
  error: VendorError,
  { service, tools = [] }: FailureContext,
): Omit<RequestFailure, 'error' | 'isRetryable'> {
  const refuses = service.refusedPart(error);
  // A refused part may be named by the place of a tool that has it; the tool itself is fine.
  if (refuses !== undefined) return { refuses, refusedTools: [] };
  return { refuses, refusedTools: service.refusedTools(error, tools), refusedMedia: service.refusedMedia(error) };
}

/** Whether a request is sent again unless the service says otherwise. It never is if the kind is absent. */
const RETRIED: Readonly<Partial<Record<FailureKind, boolean>>> = {
  rate_limited: true,
  overloaded: true,
  server_error: true,
  bad_request: false,
};

function isWorthRetrying(kind: FailureKind, { status, headers }: VendorError): boolean {
  const byDefault = RETRIED[kind];
  if (byDefault === undefined) return false;
  // The SDKs of Anthropic and OpenAI obey the same header.
  const said = headers?.get('x-should-retry');
  return said === 'true' || (said !== 'false' && byDefault && status !== 501);
}

/** Reads the milliseconds from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
function waitStated(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers?.get('retry-after'), now);
}
