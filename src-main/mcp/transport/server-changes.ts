import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';

const LISTEN_AGAIN_MS = 1_000;

export type ListenFilter = Parameters<Client['listen']>[0];

export interface Listening {
  readonly filter: ListenFilter;
  /** Called each time the server has confirmed the subscription. */
  readonly begun?: () => void;
  /** Called when notifications may have been missed; servers don't repeat them. */
  readonly missed: () => void;
  readonly log: (text: string) => void;
  /** Ends the subscription. Default: it ends with the connection. */
  readonly signal?: AbortSignal;
}

/** Subscribes to changes as the later era defines it, for as long as the connection lasts. */
export async function listen(client: Client, { filter, begun, missed, log, signal }: Listening): Promise<void> {
  const isEnded = () => client.transport === undefined || signal?.aborted === true;
  for (let listensAgain = false; !isEnded(); listensAgain = true) {
    try {
      const subscription = await client.listen(filter, signal === undefined ? undefined : { signal });
      begun?.();
      if (listensAgain) missed();
      if ((await subscription.closed) !== 'remote') return;
    } catch (error) {
      if (!isEnded()) log(`Not subscribed to changes: ${errorMessage(error)}`);
      return;
    }
    await delay(LISTEN_AGAIN_MS, undefined, { ref: false });
  }
}
