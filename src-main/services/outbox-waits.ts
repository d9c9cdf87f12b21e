/** What ends the wait. `kept`: Steward is closing. */
export type WaitEnd = 'send' | 'undone' | 'stopped' | 'kept';

/** The mails that wait in this process, by their ids. */
export class OutboxWaits {
  readonly #ends = new Map<string, (end: WaitEnd) => void>();
  readonly #closing: AbortSignal;

  constructor(closing: AbortSignal) {
    this.#closing = closing;
  }

  get count(): number {
    return this.#ends.size;
  }

  /** `signal`: Stop, which also ends it, unless Steward is closing. */
  async wait(id: string, waitMs: number, signal: AbortSignal): Promise<WaitEnd> {
    if (this.#closing.aborted) return 'kept';
    if (waitMs === 0) return signal.aborted ? 'stopped' : 'send';
    return new Promise<WaitEnd>((resolve) => {
      const finish = (end: WaitEnd) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onStop);
        this.#ends.delete(id);
        resolve(end);
      };
      const onStop = () => finish(this.#closing.aborted ? 'kept' : 'stopped');
      const timer = setTimeout(() => finish('send'), waitMs);
      this.#ends.set(id, finish);
      signal.addEventListener('abort', onStop, { once: true });
      if (signal.aborted) onStop();
    });
  }

  /** False: it does not wait here. */
  end(id: string, end: WaitEnd): boolean {
    const finish = this.#ends.get(id);
    finish?.(end);
    return finish !== undefined;
  }

  endAll(end: WaitEnd): void {
    for (const finish of [...this.#ends.values()]) finish(end);
  }
}
