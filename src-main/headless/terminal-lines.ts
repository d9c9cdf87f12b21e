import type { Readable } from 'node:stream';
import { untilAborted } from '../base/until-aborted.ts';
import { INTERRUPTED_EXIT_CODE } from './exit-codes.ts';

export type TerminalInput = Readable & {
  readonly isTTY?: boolean;
  /**
   * Switches raw mode, which only a terminal has. If it is off, the terminal itself buffers a line until it is
   * complete.
   */
  readonly setRawMode?: (isRaw: boolean) => unknown;
};

const CTRL_C = '\u0003';

/** Lines from a stream that is read only while a line is awaited, so that the process can end. */
export class TerminalLines {
  readonly #input: TerminalInput;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #ended = false;

  constructor(input: TerminalInput) {
    this.#input = input;
  }

  /**
   * Shows something, allows time to read it, and drops what was typed until then, including the beginning of a line
   * that the terminal still buffers. Nothing of it is echoed. Piped input is kept, since it was written in advance.
   */
  async letRead(show: () => void, readMs: number, signal: AbortSignal): Promise<void> {
    const input = this.#input;
    if (input.isTTY !== true) return show();
    const enough = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const either = AbortSignal.any([signal, enough.signal]);
    // A closed terminal fails at each change of its mode; reading notices it anyway.
    const ignore = () => undefined;
    input.on('error', ignore);
    input.setRawMode?.(true);
    try {
      show();
      // Even if the timer fires late, input is polled once more before an immediate runs.
      timer = setTimeout(() => setImmediate(() => enough.abort()), readMs);
      while (!this.#ended) {
        this.#pending = '';
        await this.#more(either);
        // In raw mode the terminal doesn't turn this key into a signal.
        if (this.#pending.includes(CTRL_C)) interrupt();
      }
    } catch (error) {
      if (!enough.signal.aborted || signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      input.setRawMode?.(false);
      input.off('error', ignore);
    }
    this.#pending = '';
  }

  /** The next line without its end, or null at the end of the input. Rejects with the signal's reason when aborted. */
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
    // An explicitly paused stream does not resume automatically.
    this.#input.resume();
    try {
      await untilAborted(changed, signal);
    } finally {
      this.#input.off('data', take).off('end', end).off('error', end).off('close', end);
      this.#input.pause();
    }
  }
}

function interrupt(): void {
  if (!process.emit('SIGINT')) process.exit(INTERRUPTED_EXIT_CODE);
}
