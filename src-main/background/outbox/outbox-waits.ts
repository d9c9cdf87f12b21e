import type { OutboxMail } from '../../storage/records/outbox.ts';
import { OutboxClock } from './outbox-clock.ts';

/** What ends the wait. The mail is `kept` if Steward is closing. */
export type WaitEnd = 'send' | 'undone' | 'stopped' | 'kept';

interface Waiting {
  readonly mail: OutboxMail;
  readonly clock: OutboxClock;
  finish(end: WaitEnd): void;
}

/** The mails that wait in this process, by their ids. */
export class OutboxWaits {
  readonly #waiting = new Map<string, Waiting>();
  readonly #closing: AbortSignal;
  #isHeld = false;

  constructor(closing: AbortSignal) {
    this.#closing = closing;
  }

  /** The conversation of each mail. */
  get conversations(): readonly string[] {
    return [...this.#waiting.values()].map(({ mail }) => mail.conversationId);
  }

  /** `signal` is Stop, which also ends the wait, unless Steward is closing. */
  async wait(mail: OutboxMail, waitMs: number, signal: AbortSignal): Promise<WaitEnd> {
    if (this.#closing.aborted) return 'kept';
    if (waitMs === 0) return signal.aborted ? 'stopped' : 'send';
    return new Promise<WaitEnd>((resolve) => {
      const finish = (end: WaitEnd) => {
        clock.stop();
        signal.removeEventListener('abort', onStop);
        this.#waiting.delete(mail.id);
        resolve(end);
      };
      const onStop = () => finish(this.#closing.aborted ? 'kept' : 'stopped');
      const clock = new OutboxClock(waitMs, () => finish('send'));
      this.#waiting.set(mail.id, { mail, clock, finish });
      if (!this.#isHeld) clock.run();
      signal.addEventListener('abort', onStop, { once: true });
      if (signal.aborted) onStop();
    });
  }

  /** Stops the clocks, also of mail that begins to wait meanwhile. */
  hold(): void {
    this.#isHeld = true;
    for (const { clock } of this.#waiting.values()) clock.stop();
  }

  /** Lets them go on. Returns how long each mail waits from now. */
  goOn(): readonly { readonly mail: OutboxMail; readonly leftMs: number }[] {
    this.#isHeld = false;
    return [...this.#waiting.values()].map(({ mail, clock }) => ({ mail, leftMs: clock.run() }));
  }

  /** Ends the wait of a mail. Returns false if it does not wait here. */
  end(id: string, end: WaitEnd): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.finish(end);
    return waiting !== undefined;
  }

  endAll(end: WaitEnd): void {
    for (const { finish } of [...this.#waiting.values()]) finish(end);
  }
}
