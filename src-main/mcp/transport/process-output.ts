import { LineSplitter } from '../../base/line-splitter.ts';
import { redactedStart } from '../../secrets/redaction.ts';
import type { LogEntry } from '../status/server-log.ts';
import type { ServerOutput } from '../status/server-problem.ts';
import { tellingLine } from '../status/telling-line.ts';

const LINE_BYTES = 16 * 1024;
/** A stack trace comes after the line that says why, and may be long. */
const LAST_LINES = 200;
/** How much of an overlong line is kept, in UTF-16 code units. */
const START_OF_OVERLONG = 1_000;

export interface OutputSinks {
  /** The log, which redacts secrets itself. */
  readonly log: (entry: LogEntry) => void;
  readonly redact: (text: string) => string;
}

/** What a server's process writes besides messages: all of it for the log, the last lines to explain why it ended. */
export class ProcessOutput {
  readonly #sinks: OutputSinks;
  readonly #reader: LineSplitter;
  readonly #last: string[] = [];

  constructor(sinks: OutputSinks) {
    this.#sinks = sinks;
    const { redact } = sinks;
    const onLine = (text: string) => this.#add('stderr', text);
    this.#reader = new LineSplitter({
      maxBytes: LINE_BYTES,
      headBytes: LINE_BYTES,
      onLine,
      // Redacted before it is cut: half of a secret is recognized no more.
      onOverlong: ({ head }) => onLine(redactedStart(head, { redact, length: START_OF_OVERLONG, isCut: true })),
    });
  }

  get now(): ServerOutput {
    return { telling: tellingLine(this.#last), lines: this.#last.join('\n') };
  }

  addStderr(chunk: Buffer): void {
    this.#reader.add(chunk);
  }

  /** A line on stdout that is not a message. */
  addStray(line: string): void {
    this.#add('stray', line);
  }

  /** Text after the last line break is a line too. */
  end(): void {
    this.#reader.end();
  }

  #add(kind: 'stderr' | 'stray', text: string): void {
    const { log, redact } = this.#sinks;
    this.#last.push(redactedStart(text, { redact, length: START_OF_OVERLONG }));
    if (this.#last.length > LAST_LINES) this.#last.shift();
    log({ kind, text });
  }
}
