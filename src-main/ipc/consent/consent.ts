import type { consent } from '../../../src-preload/contract/consent.ts';
import type { Handlers } from '../handlers.ts';
import type { ConsentQueue } from './consent-queue.ts';

export interface ConsentPorts {
  readonly queue: ConsentQueue;
  readonly stopTurn: (conversationId: string) => Promise<void>;
  /** See the route `measured`. */
  readonly onMeasured: (id: string, height: number) => void;
}

export function consentHandlers({ queue, stopTurn, onMeasured }: ConsentPorts): Handlers<typeof consent> {
  return {
    state: () => queue.stateAsked(),
    answer: (given) => {
      queue.answer(given);
      return queue.state();
    },
    putOff: ({ id }) => {
      queue.putOff(id);
      return queue.state();
    },
    stop: async ({ id }) => {
      await stopTurn(queue.conversationOf(id));
      return queue.state();
    },
    enlarge: ({ id, isEnlarged }) => {
      queue.enlarge(id, isEnlarged);
      return queue.state();
    },
    measured: ({ id, height }) => {
      onMeasured(id, height);
      return null;
    },
  };
}
