/** Both ends of an overlong line are kept: one of them has the id of the request it answers. */
const KEPT_OF_OVERLONG = 1024;
const NEWLINE = 0x0a;

export interface OverlongLine {
  readonly bytes: number;
  /** The first and last bytes of the line as text. */
  readonly head: string;
  readonly tail: string;
}

export interface LineSplitterOptions {
  /** The limit for a line, without its end. */
  readonly maxBytes: number;
  /** How much of an overlong line's beginning is kept; at most `maxBytes`. */
  readonly headBytes?: number;
  /** `line` is without its line break, including CR. */
  readonly onLine: (line: string) => void;
  readonly onOverlong: (line: OverlongLine) => void;
}

/** Splits UTF-8 bytes into lines. An overlong line is skipped without being held in memory. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Whether the line whose end has not arrived is too long already. */
  get isOverlong(): boolean {
    return this.#head !== undefined;
  }

  /** `maxBytes`: of what ends in this chunk or goes on after it. */
  add(chunk: Buffer, maxBytes = this.#options.maxBytes): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#extend(chunk.subarray(start, end), maxBytes);
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#extend(chunk.subarray(start), maxBytes);
  }

  /** Emits the unterminated last line. */
  end(): void {
    if (this.#bytes > 0) this.#endLine();
  }

  #extend(part: Buffer, maxBytes: number): void {
    this.#bytes += part.length;
    if (this.#head !== undefined) {
      this.#tail = Buffer.concat([this.#tail, part.subarray(-KEPT_OF_OVERLONG)]).subarray(-KEPT_OF_OVERLONG);
      return;
    }
    this.#chunks.push(part);
    if (this.#bytes <= maxBytes) return;
    const { headBytes = KEPT_OF_OVERLONG } = this.#options;
    const soFar = Buffer.concat(this.#chunks);
    this.#chunks = [];
    // Copied, so that the chunks they are part of can be freed.
    this.#head = Buffer.from(soFar.subarray(0, headBytes));
    this.#tail = Buffer.from(soFar.subarray(-KEPT_OF_OVERLONG));
  }

  #endLine(): void {
    const [chunks, head, tail, bytes] = [this.#chunks, this.#head, this.#tail, this.#bytes];
    this.#chunks = [];
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
    this.#bytes = 0;
    if (head !== undefined) {
      this.#options.onOverlong({ bytes, head: head.toString('utf8'), tail: tail.toString('utf8') });
      return;
    }
    const [only = Buffer.alloc(0)] = chunks;
    const line = (chunks.length === 1 ? only : Buffer.concat(chunks)).toString('utf8');
    this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
