import type { RequestFailure } from './request-failure.ts';

/** A service that asks for more patience than this gets none: the person is told the wait instead. */
export const LONGEST_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 500;
const LONGEST_BACK_OFF_MS = 8_000;

/**
 * Milliseconds to wait before attempt `attempt` + 1, or `undefined` when the request is not to be sent again.
 * What the service asks for counts; otherwise exponential back-off with up to a quarter taken off at random.
 */
export function retryWaitMs(
  { error, isRetryable }: RequestFailure,
  attempt: number,
  maxRetries: number,
  random: () => number,
): number | undefined {
  if (!isRetryable || attempt > maxRetries) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs > LONGEST_WAIT_MS ? undefined : error.retryAfterMs;
  }
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
  return Math.round(backOff * (1 - random() / 4));
}

/** Ends at once, with the signal's reason, when aborted. */
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
