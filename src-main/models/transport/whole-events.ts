import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRecord } from '../../base/json.ts';

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
/** Services send one to three. */
const MAX_LINES = 10_000;
/** How long events are passed on before timers, input and Stop get their turn. */
const SLICE_MS = 10;

/**
 * Splits a stream of server-sent events into whole events, without those that are only comments. SDKs search their
 * buffer again with each piece and copy it with each event, so a service that sends one endless line, or a flood of
 * tiny comments, would block the process for seconds. Source:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class WholeEvents {
  readonly #mostBytes: number;
  readonly #whole: Uint8Array[] = [];
  #taken = 0;
  /** The bytes of the event that has not ended. */
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #lines = 0;
  #hasField = false;
  /** The first byte of the line that has not ended. */
  #firstByte: number | undefined;
  #lineBytes = 0;

  /** `mostBytes`: of one event. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** False: an event is larger than allowed. */
  push(chunk: Uint8Array): boolean {
    let event = 0;
    let line = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, line)) {
      const first = this.#firstByte ?? chunk[line];
      const length = this.#lineBytes + end - line;
      line = end + 1;
      this.#firstByte = undefined;
      this.#lineBytes = 0;
      if (length === 0 || (length === 1 && first === CARRIAGE_RETURN)) {
        if (this.#hasField) this.#whole.push(Buffer.concat([...this.#pieces, chunk.subarray(event, line)]));
        event = line;
        this.#begin();
        continue;
      }
      this.#lines++;
      if (first !== COLON) this.#hasField = true;
      if (this.#lines > MAX_LINES) return false;
    }
    if (line < chunk.length) {
      this.#firstByte ??= chunk[line];
      this.#lineBytes += chunk.length - line;
    }
    if (event < chunk.length) this.#pieces.push(chunk.subarray(event));
    this.#bytes += chunk.length - event;
    return this.#bytes <= this.#mostBytes;
  }

  /** The next whole event, if there is one. */
  take(): Uint8Array | undefined {
    const event = this.#whole[this.#taken];
    if (event === undefined) {
      this.#whole.length = 0;
      this.#taken = 0;
    } else this.#taken++;
    return event;
  }

  /**
   * What came after the last whole event. Some services leave out the blank line after their last one, which SDKs then
   * pass over.
   */
  rest(): Uint8Array {
    const rest = Buffer.concat(this.#pieces);
    return isWhole(rest) ? Buffer.concat([rest, Buffer.from('\n\n')]) : rest;
  }

  #begin(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#lines = 0;
    this.#hasField = false;
  }
}

/** If the connection ended in the middle of an event, its data is no JSON. */
function isWhole(event: Buffer): boolean {
  const lines = event.toString('utf8').split(/\r?\n/);
  const values = lines.flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
  try {
    return values.length > 0 && isRecord(JSON.parse(values.join('\n')));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Resolves at once, but now and then only after everything else had its turn. */
export function fairTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
