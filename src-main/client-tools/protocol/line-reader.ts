import { setTimeout as delay } from 'node:timers/promises';
import { LineSplitter } from '../../base/line-splitter.ts';

/** The most bytes of a line, without its end. Source: tool catalogue D.9. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
/**
 * The most lines that arrived and were not processed yet, and that the other side has not taken yet. Source: tool
 * catalogue D.9.
 */
export const MAX_UNREAD_LINES = 1_000;
/** Limit for lines that wait: more than a program that is not paired yet can have. Beyond it, nothing is read. */
const MAX_UNREAD_BYTES = 2 * MAX_LINE_BYTES;
/** How long lines are processed before anything else has its turn. */
const TURN_MS = 10;

export type LineFault = 'line_too_long' | 'too_many_lines';

/** The text for the client whose lines these were. `longestBytes` is how long a line could be when it happened. */
export function lineFaultText(fault: LineFault, longestBytes = MAX_LINE_BYTES): string {
  if (fault === 'line_too_long') return `A line is too long (more than ${byteText(longestBytes)}).`;
  return `More than ${MAX_UNREAD_LINES} lines were waiting to be read.`;
}

export interface LineReaderOptions {
  /** Lines are processed one after the other: the next waits until this one's promise is settled. Must not reject. */
  readonly onLine: (line: string) => void | Promise<void>;
  /** Once; nothing is read afterwards. */
  readonly onFault: (fault: LineFault) => void;
  /** Whether the input should wait, so that what it sends does not fill the memory. */
  readonly onFull: (isFull: boolean) => void;
  /** The limit at present, which is read at every chunk. Undefined means `MAX_LINE_BYTES`. */
  readonly longestBytes?: () => number | undefined;
}

/** Processes the lines in bytes one after the other, within limits. Empty lines are left out. */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #splitter = new LineSplitter({
    maxBytes: MAX_LINE_BYTES,
    onLine: (line) => this.#add(line.trim()),
    onOverlong: () => this.#fail('line_too_long'),
  });
  readonly #lines: string[] = [];
  /** The length of `#lines` in UTF-16 units. */
  #waiting = 0;
  #isFull = false;
  #isClosed = false;
  #isProcessing = false;
  #processing: Promise<void> = Promise.resolve();

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#splitter.add(chunk, this.#options.longestBytes?.());
    // A line that is too long is refused before its end arrives.
    if (this.#splitter.isOverlong) this.#fail('line_too_long');
    this.#process();
    this.#tellFull();
  }

  /** The input has ended: resolves when everything that arrived was processed. */
  async end(): Promise<void> {
    this.#splitter.end();
    this.#process();
    await this.#processing;
  }

  /** Nothing more is read, and lines that wait are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#lines.length = 0;
    this.#waiting = 0;
  }

  #add(line: string): void {
    if (line === '' || this.#isClosed) return;
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#lines.length > MAX_UNREAD_LINES) this.#fail('too_many_lines');
  }

  #fail(fault: LineFault): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onFault(fault);
  }

  #process(): void {
    if (!this.#isProcessing) this.#processing = this.#processAll();
  }

  async #processAll(): Promise<void> {
    this.#isProcessing = true;
    try {
      let begun = performance.now();
      for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
        this.#waiting -= line.length;
        await this.#options.onLine(line);
        const took = performance.now() - begun;
        if (took < TURN_MS) continue;
        // The reader pauses for as long as the lines took, so that a flood of slow lines leaves half of the time to
        // everything else.
        await delay(Math.min(took, MAX_PAUSE_MS));
        this.#tellFull();
        begun = performance.now();
      }
    } finally {
      this.#isProcessing = false;
      this.#tellFull();
    }
  }

  #tellFull(): void {
    const isFull = !this.#isClosed && this.#waiting > MAX_UNREAD_BYTES;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#options.onFull(isFull);
  }
}

function byteText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`;
}

/** A line may also wait for something else than this process's time. */
const MAX_PAUSE_MS = 200;
