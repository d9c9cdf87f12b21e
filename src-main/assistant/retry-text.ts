import type { EventOf } from '../../src-preload/contract/events.ts';
import { ownValue } from '../base/json.ts';
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

type Retry = Extract<ModelStreamEvent, { type: 'retry' }>;

/** `who` is whose request it is, if it is not the conversation's own model. */
export function retryNotice(retry: Retry, who?: string): EventOf<'notice'> {
  const text = retryText(retry);
  const until = retry.waitMs < SAID_FROM_MS ? {} : { until: new Date(Date.now() + retry.waitMs).toISOString() };
  return { type: 'notice', code: 'retrying', message: who === undefined ? text : `${who}: ${text}`, ...until };
}

/** What the notice says: `The service failed (HTTP 500). Retrying 3 of 5…` */
function retryText({ error, attempt, most, waitMs }: Retry): string {
  const wait = waitMs < SAID_FROM_MS ? '' : ` in ${Math.round(waitMs / 1000)} s`;
  return `${reasonOf(error)}. Retrying ${attempt} of ${most}${wait}…`;
}

function reasonOf({ code, status }: ModelError): string {
  const reason = ownValue(REASONS, code) ?? 'The request failed';
  return status === undefined ? reason : `${reason} (HTTP ${status})`;
}
