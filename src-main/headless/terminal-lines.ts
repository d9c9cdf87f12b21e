import type { Readable } from 'node:stream';
import { untilAborted } from '../base/serial-queue.ts';

export type TerminalInput = Readable & { readonly isTTY?: boolean };

/** A terminal hands over what was typed ahead well within this time. */
const TYPED_AHEAD_MS = 50;

/** Lines from a stream that is read only while somebody waits for one, so that the process can end. */
export class TerminalLines {
  readonly #input: TerminalInput;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #ended = false;

  constructor(input: TerminalInput) {
    this.#input = input;
  }

  /** What was typed before a question could be read is no answer to it. What is piped in was meant for what is to come. */
  async dropTypedAhead(signal: AbortSignal): Promise<void> {
    if (this.#input.isTTY !== true) return;
    const enough = new AbortController();
    // However late the timer fires, input is polled once more before an immediate runs.
    const timer = setTimeout(() => setImmediate(() => enough.abort()), TYPED_AHEAD_MS);
    const either = AbortSignal.any([signal, enough.signal]);
    try {
      while (!this.#ended) await this.#more(either);
    } catch (error) {
      if (!enough.signal.aborted || signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    this.#pending = '';
  }

  /** The next line without its end; `null` at the end of the input. Rejects with the signal's reason when aborted. */
  async next(signal: AbortSignal): Promise<string | null> {
    while (!this.#pending.includes('\n') && !this.#ended) await this.#more(signal);
    if (this.#pending === '') return null;
    const end = this.#pending.indexOf('\n');
    const line = end < 0 ? this.#pending : this.#pending.slice(0, end);
    this.#pending = end < 0 ? '' : this.#pending.slice(end + 1);
    return line.replace(/\r$/, '');
  }

  /** Waits for the next piece of input or its end. */
  async #more(signal: AbortSignal): Promise<void> {
    let settle = (): void => undefined;
    const changed = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const take = (chunk: Buffer | string): void => {
      this.#pending += typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
      settle();
    };
    const end = (): void => {
      this.#ended = true;
      settle();
    };
    if (this.#input.readableEnded || this.#input.destroyed) end();
    this.#input.on('data', take).on('end', end).on('error', end).on('close', end);
    // A stream that was paused by hand does not flow again by itself.
    this.#input.resume();
    try {
      await untilAborted(changed, signal);
    } finally {
      this.#input.off('data', take).off('end', end).off('error', end).off('close', end);
      this.#input.pause();
    }
  }
}
