import { LineSplitter } from '../../base/line-splitter.ts';
import { HttpFailure } from '../../network/http.ts';
import {
  answeredBy,
  faultOfLine,
  MAX_MESSAGE_BYTES,
  oversizedAnswer,
  unreadableAnswerTo,
} from '../messages/oversized-message.ts';
import type { ServerPace } from './server-pace.ts';

/** The limit for all lines of one event together. */
const MAX_EVENT_BYTES = 2 * MAX_MESSAGE_BYTES;
/**
 * Matches ids that fit into a header. The id is sent back in one, and with any other text the stream could not be
 * opened again.
 */
const EVENT_ID = /^[\x20-\x7e]{0,1000}$/;
const MAX_RETRY_MS = 60 * 60_000;
/** Passed on at a time; each is handled as a whole before anything else gets its turn. */
const EVENTS_AT_ONCE = 20;

export interface EventStreamOptions {
  readonly pace: ServerPace;
  /** Receives a description of what is not passed on. */
  readonly skipped: (what: string) => void;
}

/** The server-sent events of a body, within our limits, as a body again. */
export function eventStream(body: AsyncIterable<Buffer>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = eventsWithin(body, options);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    // Takes effect on the next chunk, or with the signal.
    cancel: () => void events.return(undefined),
  });
}

/** Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. */
async function* eventsWithin(
  body: AsyncIterable<Buffer>,
  { pace, skipped }: EventStreamOptions,
): AsyncGenerator<string> {
  const events = new EventReader(skipped);
  for await (const chunk of body) {
    events.add(chunk);
    await pace.read({ bytes: chunk.length });
    yield* inPortions(events.take(), pace);
  }
  events.end();
  yield* inPortions(events.take(), pace);
}

async function* inPortions(events: readonly string[], pace: ServerPace): AsyncGenerator<string> {
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    const portion = events.slice(at, at + EVENTS_AT_ONCE);
    await pace.read({ events: portion.length });
    yield portion.join('');
  }
}

/** Collects whole events, without comments. */
class EventReader {
  readonly #skipped: (what: string) => void;
  readonly #lines: LineSplitter;
  #ready: string[] = [];
  /** The fields of the event that has not ended. */
  #fields: string[] = [];
  #data: string[] = [];
  #bytes = 0;
  #hasBegun = false;

  constructor(skipped: (what: string) => void) {
    this.#skipped = skipped;
    this.#lines = new LineSplitter({
      maxBytes: MAX_MESSAGE_BYTES,
      // A carriage return alone ends a line too.
      onLine: (line) => {
        for (const each of this.#withoutMark(line).split('\r')) this.#addLine(each);
      },
      onOverlong: ({ bytes, head, tail }) => {
        skipped(`a message of ${bytes} bytes`);
        const id = answeredBy({ head: head.replace(/^data: ?/, ''), tail });
        if (id !== undefined) this.#data.push(JSON.stringify(oversizedAnswer(id, bytes)));
      },
    });
  }

  /** Throws `HttpFailure` if an event is too long. */
  add(chunk: Buffer): void {
    this.#lines.add(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  /** The events that have ended. */
  take(): readonly string[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** A stream may begin with a byte order mark. */
  #withoutMark(line: string): string {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return isFirst && line.startsWith('\uFEFF') ? line.slice(1) : line;
  }

  #addLine(line: string): void {
    if (line === '') {
      this.#endEvent();
      return;
    }
    this.#bytes += line.length;
    if (this.#bytes > MAX_EVENT_BYTES)
      throw new HttpFailure('too_large', `An event has more than ${MAX_EVENT_BYTES} bytes`);
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !EVENT_ID.test(value))
      this.#skipped(`an event id of ${value.length} characters that cannot be sent back`);
    else if (field === 'retry' && /^\d+$/.test(value))
      this.#fields.push(`retry: ${Math.min(Number(value), MAX_RETRY_MS)}`);
    else if (field === 'id' || field === 'event') this.#fields.push(line);
  }

  #endEvent(): void {
    const lines = [...this.#fields, ...this.#readable().map((data) => `data: ${data}`)];
    if (lines.length > 0) this.#ready.push(`${lines.join('\n')}\n\n`);
    this.#fields = [];
    this.#data = [];
    this.#bytes = 0;
  }

  /** The lines of the message, or of what replaces one that has too many values to be parsed. */
  #readable(): readonly string[] {
    const text = this.#data.join('\n');
    const fault = faultOfLine(text);
    if (fault === undefined) return this.#data;
    this.#skipped(`a message that is ${fault}`);
    const answer = unreadableAnswerTo(text, fault);
    return answer === undefined ? [] : [JSON.stringify(answer)];
  }
}
