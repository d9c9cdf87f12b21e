import type { ModelError, ModelErrorCode, ModelStreamEvent } from '../models/provider.ts';

const REASONS: Partial<Readonly<Record<ModelErrorCode, string>>> = {
  rate_limited: 'The rate limit was reached',
  overloaded: 'The service is overloaded',
  server_error: 'The service failed',
  offline: 'The service can’t be reached',
  no_answer: 'The service doesn’t respond',
  stream_broken: 'The connection was lost',
};
/** A shorter wait is over before anyone has read the text. */
const SAID_FROM_MS = 5_000;

/** `The service failed (HTTP 500). Retrying 3 of 5…` */
export function retryText({ error, attempt, most, waitMs }: Extract<ModelStreamEvent, { type: 'retry' }>): string {
  const wait = waitMs < SAID_FROM_MS ? '' : ` in ${Math.round(waitMs / 1000)} s`;
  return `${reasonOf(error)}. Retrying ${attempt} of ${most}${wait}…`;
}

function reasonOf({ code, status }: ModelError): string {
  const reason = REASONS[code] ?? 'The request failed';
  return status === undefined ? reason : `${reason} (HTTP ${status})`;
}
