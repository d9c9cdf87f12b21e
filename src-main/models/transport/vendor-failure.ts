import { retryAfterMs } from '../../network/retry-after.ts';
import { ModelError } from '../provider.ts';
import type { VendorError } from './error-shape.ts';
import { type FailureContext, type RequestFailure, requestFailed } from './request-failure.ts';

/** The errors that a service itself reports. Its own message is quoted at the end, because it often says more. */
export function vendorFailure(error: VendorError, context: FailureContext): RequestFailure {
  const { model, service } = context;
  const { host, vendor } = service;
  const said = error.text === '' ? '' : ` It said: ${error.text}`;
  const waitMs = waitStated(error.headers, context.now());
  switch (service.kindOf(error)) {
    case 'no_credit': {
      const where = vendor.billingPage === undefined ? '' : ` at ${vendor.billingPage}`;
      return requestFailed(
        new ModelError(
          'no_credit',
          `The ${vendor.name} account has no credit left or reached its spending limit. Add credit or raise the limit${where}, then try again.${said}`,
        ),
      );
    }
    case 'wrong_key': {
      const orVariable = vendor.keyVariable === undefined ? '' : ` (or in ${vendor.keyVariable})`;
      return requestFailed(
        new ModelError(
          'wrong_key',
          `${host} does not accept the API key. Check it in Settings${orVariable}: it may be mistyped, deleted or for another service.${said}`,
        ),
      );
    }
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
          `The request is too large for ${host}${limitText(service.maxRequestBytes)}. Start a new conversation, or send fewer or smaller images and files.${said}`,
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
        `You've reached ${vendor.name}'s rate limit for this key. ${wait}, then try again; your message is kept.${said}`,
        { retryAfterMs: waitMs },
      );
      return requestFailed(limited, isWorthRetrying(error, true));
    }
    case 'overloaded': {
      const overloaded = new ModelError(
        'overloaded',
        `${vendor.name} is overloaded. Your message is kept: try again in a few minutes, or choose another model.${said}`,
        { retryAfterMs: waitMs },
      );
      return requestFailed(overloaded, isWorthRetrying(error, true));
    }
    case 'server_error': {
      const shown =
        error.status === undefined ? (error.code ?? error.type ?? 'no reason given') : `HTTP ${error.status}`;
      const known = vendor.statusPage === undefined ? '' : ` Known problems: ${vendor.statusPage}`;
      const broken = new ModelError(
        'server_error',
        `The service failed (${shown}). Your message is kept: try again.${known}${said}`,
        { retryAfterMs: waitMs, status: error.status },
      );
      return requestFailed(broken, isWorthRetrying(error, error.status !== 501));
    }
    case 'bad_request': {
      const shown =
        error.status === undefined ? (error.code ?? error.type ?? 'no reason given') : `HTTP ${error.status}`;
      const refused = new ModelError('bad_request', `${host} refused the request (${shown}).${said}`, {
        retryAfterMs: waitMs,
      });
      const refuses = service.refusedPart(error);
      const refusedMedia = refuses === undefined ? service.refusedMedia(error) : undefined;
      return {
        error: refused,
        isRetryable: isWorthRetrying(error, false),
        refuses,
        // A part that it refuses may be named by the place of a tool that has it; the tool itself is fine.
        refusedTools: refuses === undefined ? service.refusedTools(error, context.tools ?? []) : [],
        refusedMedia,
      };
    }
  }
}

export function limitText(maxRequestBytes: number | undefined): string {
  return maxRequestBytes === undefined ? '' : ` (limit ${Math.round(maxRequestBytes / 1024 / 1024)} MB)`;
}

/** The service may state it explicitly; the SDKs of Anthropic and OpenAI obey the same header. */
function isWorthRetrying({ headers }: VendorError, byDefault: boolean): boolean {
  const said = headers?.get('x-should-retry');
  return said === 'true' || (said !== 'false' && byDefault);
}

/** Milliseconds, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitStated(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers?.get('retry-after'), now);
}
