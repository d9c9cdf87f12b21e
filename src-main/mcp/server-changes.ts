import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { errorMessage } from '../base/errors.ts';

const LISTEN_AGAIN_MS = 1_000;

export type ListenFilter = Parameters<Client['listen']>[0];

export interface Listening {
  readonly filter: ListenFilter;
  /** What was said while nobody listened is not said again: called when that may have happened. */
  readonly missed: () => void;
  readonly log: (text: string) => void;
  /** Ends it. Default: it ends with the connection. */
  readonly signal?: AbortSignal;
}

/** Hears of changes in the way of the later era, for as long as the connection is there. */
export async function listen(client: Client, { filter, missed, log, signal }: Listening): Promise<void> {
  const isEnded = () => client.transport === undefined || signal?.aborted === true;
  for (let listensAgain = false; !isEnded(); listensAgain = true) {
    try {
      const subscription = await client.listen(filter, signal === undefined ? undefined : { signal });
      if (listensAgain) missed();
      if ((await subscription.closed) !== 'remote') return;
    } catch (error) {
      if (!isEnded()) log(`Changes are not heard of: ${errorMessage(error)}`);
      return;
    }
    await delay(LISTEN_AGAIN_MS, undefined, { ref: false });
  }
}
