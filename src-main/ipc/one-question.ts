import { IpcError } from './ipc-error.ts';

/**
 * Lets a page have one question of a kind open at a time. A page that was taken over could otherwise bury the user in
 * cards until one of them is allowed by mistake.
 */
export class OneQuestion {
  readonly #subject: string;
  readonly #signal: AbortSignal;
  #isAsked = false;

  /** `subject` is what is asked about, like "another link". `signal` aborts when the window closes. */
  constructor(subject: string, signal: AbortSignal) {
    this.#subject = subject;
    this.#signal = signal;
  }

  /** Rejects with `IpcError` (`already_asking`, `closing`), and with what `ask` rejects with. */
  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isAsked)
      throw new IpcError('already_asking', `You are being asked about ${this.#subject}. Answer that first.`);
    this.#isAsked = true;
    try {
      return await ask();
    } catch (error) {
      throw this.#signal.aborted ? new IpcError('closing', 'Steward is closing.', { cause: error }) : error;
    } finally {
      this.#isAsked = false;
    }
  }

  /** Rejects with `IpcError` (`not_confirmed`) as well, if the user declined. `consequence` is said to them. */
  async confirm(ask: () => Promise<boolean>, consequence?: string): Promise<void> {
    if (!(await this.run(ask))) throw declined(consequence);
  }
}

export function declined(consequence = 'Nothing was changed.'): IpcError {
  return new IpcError('not_confirmed', `You did not confirm it. ${consequence}`);
}
