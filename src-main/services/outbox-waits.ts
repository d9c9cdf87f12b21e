import type { OutboxMail } from '../storage/records/outbox.ts';

/** What ends the wait. `kept`: Steward is closing. */
export type WaitEnd = 'send' | 'undone' | 'stopped' | 'kept';

/** The mails that wait in this process, by their ids. */
export class OutboxWaits {
  readonly #waiting = new Map<string, { readonly conversationId: string; readonly finish: (end: WaitEnd) => void }>();
  readonly #closing: AbortSignal;

  constructor(closing: AbortSignal) {
    this.#closing = closing;
  }

  /** Of each mail. */
  get conversations(): readonly string[] {
    return [...this.#waiting.values()].map(({ conversationId }) => conversationId);
  }

  /** `signal`: Stop, which also ends it, unless Steward is closing. */
  async wait(
    { id, conversationId }: Pick<OutboxMail, 'id' | 'conversationId'>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<WaitEnd> {
    if (this.#closing.aborted) return 'kept';
    if (waitMs === 0) return signal.aborted ? 'stopped' : 'send';
    return new Promise<WaitEnd>((resolve) => {
      const finish = (end: WaitEnd) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onStop);
        this.#waiting.delete(id);
        resolve(end);
      };
      const onStop = () => finish(this.#closing.aborted ? 'kept' : 'stopped');
      const timer = setTimeout(() => finish('send'), waitMs);
      this.#waiting.set(id, { conversationId, finish });
      signal.addEventListener('abort', onStop, { once: true });
      if (signal.aborted) onStop();
    });
  }

  /** False: it does not wait here. */
  end(id: string, end: WaitEnd): boolean {
    const mail = this.#waiting.get(id);
    mail?.finish(end);
    return mail !== undefined;
  }

  endAll(end: WaitEnd): void {
    for (const { finish } of [...this.#waiting.values()]) finish(end);
  }
}
