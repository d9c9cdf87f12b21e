import { redactedStart } from '../../secrets/redaction.ts';
import { LineReader } from '../messages/line-reader.ts';
import type { LogEntry } from '../status/server-log.ts';

const LINE_BYTES = 16 * 1024;
const LAST_LINES = 20;
/** Of a longer line, in UTF-16 code units. */
const START_OF_OVERLONG = 1_000;

export interface StderrSinks {
  /** Redacts secrets itself. */
  readonly log: (entry: LogEntry) => void;
  readonly redact: (text: string) => string;
}

/** A server's stderr: all of it for the log, the last lines to explain why it ended. */
export class StderrLines {
  readonly #reader: LineReader;
  readonly #last: string[] = [];

  constructor({ log, redact }: StderrSinks) {
    const onLine = (text: string) => {
      this.#last.push(redact(text));
      if (this.#last.length > LAST_LINES) this.#last.shift();
      log({ kind: 'stderr', text });
    };
    this.#reader = new LineReader({
      ...{ maxBytes: LINE_BYTES, headBytes: LINE_BYTES, onLine },
      // Redacted before it is cut: half of a secret is recognized no more.
      onOverlong: ({ head }) => onLine(redactedStart(head, { redact, length: START_OF_OVERLONG, isCut: true })),
    });
  }

  /** The last lines. */
  get text(): string {
    return this.#last.join('\n');
  }

  add(chunk: Buffer): void {
    this.#reader.add(chunk);
  }

  /** Text after the last line break is a line too. */
  end(): void {
    this.#reader.end();
  }
}
