import type { consent } from '../../../src-preload/contract/consent.ts';
import type { Handlers } from '../handlers.ts';
import type { ConsentQueue } from './consent-queue.ts';

export function consentHandlers(queue: ConsentQueue): Handlers<typeof consent> {
  return {
    state: () => queue.stateAsked(),
    answer: (given) => {
      queue.answer(given);
      return queue.state();
    },
  };
}
