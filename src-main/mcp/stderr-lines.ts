import { LineReader } from './line-reader.ts';
import type { LogEntry } from './server-log.ts';

const LINE_BYTES = 16 * 1024;
const LAST_LINES = 20;

export interface StderrSinks {
  /** Takes its secrets out itself. */
  readonly log: (entry: LogEntry) => void;
  readonly redact: (text: string) => string;
}

/** What a server's process writes to stderr: all of it for the log, the end of it for whoever asks why it ended. */
export class StderrLines {
  readonly #reader: LineReader;
  readonly #last: string[] = [];

  constructor({ log, redact }: StderrSinks) {
    const onLine = (text: string) => {
      this.#last.push(redact(text));
      if (this.#last.length > LAST_LINES) this.#last.shift();
      log({ kind: 'stderr', text });
    };
    this.#reader = new LineReader({ maxBytes: LINE_BYTES, onLine, onOverlong: ({ head }) => onLine(`${head}…`) });
  }

  /** The last lines. */
  get text(): string {
    return this.#last.join('\n');
  }

  add(chunk: Buffer): void {
    this.#reader.add(chunk);
  }

  /** What stands after the last line break is one too. */
  end(): void {
    this.#reader.end();
  }
}
