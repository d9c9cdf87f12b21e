import type { RequestFailure } from './request-failure.ts';

/** If the service asks for a longer wait than this, the request is not repeated and the user is told the wait. */
export const MAX_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 500;
const MAX_BACK_OFF_MS = 8_000;

/**
 * Returns the milliseconds to wait before attempt `attempt` + 1, or `undefined` if the request should not be sent
 * again. A wait requested by the service is used; otherwise the back-off is exponential, minus up to a quarter at
 * random.
 */
export function retryWaitMs(
  { error, isRetryable }: RequestFailure,
  attempt: number,
  maxRetries: number,
  random: () => number,
): number | undefined {
  if (!isRetryable || attempt > maxRetries) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs > MAX_WAIT_MS ? undefined : error.retryAfterMs;
  }
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_BACK_OFF_MS);
  return Math.round(backOff * (1 - random() / 4));
}

/** Rejects immediately, with the signal's reason, if aborted. */
export function abortableSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
