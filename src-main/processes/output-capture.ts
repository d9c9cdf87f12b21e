import { StringDecoder } from 'node:string_decoder';

/**
 * The output of one stream of a process, decoded as UTF-8 (invalid bytes become U+FFFD, characters may be split between
 * chunks), up to a number of bytes. The rest is counted and dropped.
 */
export class OutputCapture {
  readonly #decoder = new StringDecoder('utf8');
  readonly #parts: string[] = [];
  readonly #maxBytes: number;
  readonly #onText: ((text: string) => void) | undefined;
  #keptBytes = 0;
  #droppedBytes = 0;
  #isEnded = false;

  constructor(maxBytes: number, onText?: (text: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  add(chunk: Buffer): void {
    if (this.#isEnded) return;
    const kept = chunk.subarray(0, this.#maxBytes - this.#keptBytes);
    this.#keptBytes += kept.length;
    this.#droppedBytes += chunk.length - kept.length;
    this.#take(this.#decoder.write(kept));
  }

  /** Ends the capture. Anything that comes later is ignored. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // The cut may split a character, which is not the process's mistake.
    if (this.#droppedBytes === 0) this.#take(this.#decoder.end());
  }

  get text(): string {
    if (this.#parts.length > 1) this.#parts.splice(0, this.#parts.length, this.#parts.join(''));
    return this.#parts[0] ?? '';
  }

  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  #take(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
    this.#onText?.(text);
  }
}
