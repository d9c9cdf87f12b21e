import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

/** Mail that waits before it is sent. What becomes of it is told by events. */
export class Outbox {
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  async undo(mail: string): Promise<void> {
    const answer = await reported(this.#bridge.request('outbox.undo', { mail }));
    if (answer?.isDone === false) toasts.fail('It is too late: the email is already on its way.');
  }

  async sendNow(mail: string): Promise<void> {
    await reported(this.#bridge.request('outbox.sendNow', { mail }));
  }
}
