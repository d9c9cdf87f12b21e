import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';

const FIRST_WAIT_MS = 1_000;
/** The longest wait. A stream also has to last this long for the next wait to be the first one again. */
const MAX_WAIT_MS = 60_000;

export type ListenFilter = Parameters<Client['listen']>[0];

export interface Listening {
  readonly filter: ListenFilter;
  /** Called each time the server has confirmed the subscription. */
  readonly begun?: () => void;
  /** Called when notifications may have been missed; servers don't repeat them. */
  readonly missed: () => void;
  readonly log: (text: string) => void;
  /** Ends the subscription. Otherwise it ends with the connection. */
  readonly signal?: AbortSignal;
  /** The machine's clock by default. */
  readonly clock?: ListenClock;
}

interface ListenClock {
  /** Milliseconds since any fixed time. */
  now(): number;
  wait(ms: number): Promise<void>;
}

const MACHINE_CLOCK: ListenClock = {
  now: () => performance.now(),
  wait: (ms) => delay(ms, undefined, { ref: false }),
};

/**
 * Subscribes to changes as the later era defines it, for as long as the connection lasts. A server that keeps ending
 * the stream is asked less and less often.
 */
export async function listen(
  client: Pick<Client, 'listen' | 'transport'>,
  { filter, begun, missed, log, signal, clock = MACHINE_CLOCK }: Listening,
): Promise<void> {
  const isEnded = () => client.transport === undefined || signal?.aborted === true;
  let waitMs = 0;
  while (!isEnded()) {
    const begunAt = clock.now();
    try {
      const subscription = await client.listen(filter, signal === undefined ? undefined : { signal });
      begun?.();
      if (waitMs > 0) missed();
      if ((await subscription.closed) !== 'remote') return;
    } catch (error) {
      if (!isEnded()) log(`Not subscribed to changes: ${errorMessage(error)}`);
      return;
    }
    const hasLasted = clock.now() - begunAt >= MAX_WAIT_MS;
    waitMs = waitMs === 0 || hasLasted ? FIRST_WAIT_MS : Math.min(2 * waitMs, MAX_WAIT_MS);
    await clock.wait(waitMs);
  }
}
