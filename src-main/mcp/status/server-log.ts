import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { Listeners } from '../../base/listeners.ts';
import { ownText } from '../../base/text.ts';
import { redactedStart } from '../../secrets/redaction.ts';

/** The approximate limit for each server: tens of thousands of lines. */
const MAX_BYTES = 4 * 1024 * 1024;
const BYTES_PER_ENTRY = 200;
const MAX_TEXT_LENGTH = 4_000;

/** A log entry before it has a number and a time. */
export type LogEntry = Omit<ServerLogEntry, 'number' | 'at'>;

export interface ServerLogOptions {
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  readonly now?: () => number;
  /** Tests set this. */
  readonly maxBytes?: number;
}

/** The recent events of one server, oldest first. Secrets are replaced before anything is kept. */
export class ServerLog {
  readonly #redact: (text: string) => string;
  readonly #now: () => number;
  readonly #maxBytes: number;
  readonly #listeners = new Listeners<[entry: ServerLogEntry]>();
  #entries: ServerLogEntry[] = [];
  /** The number of dropped entries. */
  #first = 0;
  #bytes = 0;
  #count = 0;

  constructor({ redact, now = Date.now, maxBytes = MAX_BYTES }: ServerLogOptions) {
    this.#redact = redact;
    this.#now = now;
    this.#maxBytes = maxBytes;
  }

  get entries(): readonly ServerLogEntry[] {
    return this.#entries.slice(this.#first);
  }

  /** The total number of entries, which is also the number of the latest. */
  get count(): number {
    return this.#count;
  }

  /** The listener is called on each new entry. Returns a function that unsubscribes. */
  onEntry(listener: (entry: ServerLogEntry) => void): () => void {
    return this.#listeners.add(listener);
  }

  add({ text, ...facts }: LogEntry): void {
    const kept = ownText(redactedStart(text, { redact: this.#redact, length: MAX_TEXT_LENGTH }));
    this.#count += 1;
    const entry: ServerLogEntry = { number: this.#count, at: this.#now(), ...facts, text: kept };
    this.#entries.push(entry);
    this.#bytes += sizeOf(entry);
    this.#dropOldest();
    this.#listeners.tell(entry);
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
