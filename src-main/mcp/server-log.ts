const MOST_ENTRIES = 500;
const LONGEST_TEXT = 4_000;

export interface LogEntry {
  /**
   * `stderr`: the process wrote it. `stray`: it stood on stdout and is no message. `skipped`: a part of what the server sent that
   * cannot be used. `message`: the server logged it (`notifications/message`). `sent`, `received`: a protocol message. `state`: what
   * became of the connection.
   */
  readonly kind: 'stderr' | 'stray' | 'skipped' | 'message' | 'sent' | 'received' | 'state';
  readonly text: string;
}

/** What happened with one server lately, the latest last. Secrets are replaced where it is shown. */
export class ServerLog {
  readonly #now: () => number;
  readonly #entries: (LogEntry & { readonly at: number })[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get entries(): readonly (LogEntry & { readonly at: number })[] {
    return this.#entries;
  }

  add({ kind, text }: LogEntry): void {
    const kept = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
    this.#entries.push({ at: this.#now(), kind, text: kept });
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift();
  }
}
