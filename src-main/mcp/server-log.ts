import type { ServerLogEntry } from '../../src-preload/contract/server-diagnostics.ts';

/** Per server, approximately: a few ten thousand lines. */
const MOST_BYTES = 4 * 1024 * 1024;
const BYTES_PER_ENTRY = 200;
const LONGEST_TEXT = 4_000;
/** Beyond what is kept, so that a secret is seen as a whole that begins in it. */
const LOOKED_AT = 2 * LONGEST_TEXT;

/** One line of the log, before it has its number and its time. */
export type LogEntry = Omit<ServerLogEntry, 'number' | 'at'>;

export interface ServerLogOptions {
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly now?: () => number;
  /** For tests. */
  readonly maxBytes?: number;
}

/** What happened with one server lately, the latest last. Secrets are replaced before anything is kept. */
export class ServerLog {
  readonly #redact: (text: string) => string;
  readonly #now: () => number;
  readonly #maxBytes: number;
  readonly #listeners = new Set<(entry: ServerLogEntry) => void>();
  #entries: ServerLogEntry[] = [];
  /** Those before it have been dropped. */
  #first = 0;
  #bytes = 0;
  #count = 0;

  constructor({ redact, now = Date.now, maxBytes = MOST_BYTES }: ServerLogOptions) {
    this.#redact = redact;
    this.#now = now;
    this.#maxBytes = maxBytes;
  }

  get entries(): readonly ServerLogEntry[] {
    return this.#entries.slice(this.#first);
  }

  /** How many there have been, which is also the number of the latest. */
  get count(): number {
    return this.#count;
  }

  /** Told of each new entry. Returns the way to stop. */
  onEntry(listener: (entry: ServerLogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  add({ text, ...facts }: LogEntry): void {
    const readable = this.#redact(text.slice(0, LOOKED_AT));
    const kept = readable.length > LONGEST_TEXT ? `${readable.slice(0, LONGEST_TEXT)}…` : readable;
    this.#count += 1;
    const entry: ServerLogEntry = { number: this.#count, at: this.#now(), ...facts, text: kept };
    this.#entries.push(entry);
    this.#bytes += sizeOf(entry);
    this.#dropOldest();
    for (const listener of [...this.#listeners]) listener(entry);
  }

  #dropOldest(): void {
    for (; this.#bytes > this.#maxBytes; this.#first++) {
      const oldest = this.#entries[this.#first];
      if (oldest === undefined) return;
      this.#bytes -= sizeOf(oldest);
    }
    if (this.#first * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

function sizeOf({ text }: ServerLogEntry): number {
  return 2 * text.length + BYTES_PER_ENTRY;
}
