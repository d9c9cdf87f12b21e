import type { LiveEvent, StoredEvent } from '../../src-preload/contract/events.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import { shownEvent, type Words } from './shown-event.ts';

type TurnEvent = AppEvents['turn']['event'];

/** One frame at 60 Hz. */
const FRAME_MS = 16;

/**
 * Passes the events of a turn on to the window, in order. What is only worth seeing is gathered for a frame, so that a
 * command which prints without end costs one message per frame; text deltas come gathered already (see `LiveText`).
 */
export class LiveFeed {
  readonly #words: Words;
  readonly #send: (event: TurnEvent) => void;
  readonly #gathered: { readonly type: LiveEvent['type']; readonly id: string; text: string }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(words: Words, send: (event: TurnEvent) => void) {
    this.#words = words;
    this.#send = send;
  }

  push(event: StoredEvent | LiveEvent): void {
    if ('seq' in event) {
      this.flush();
      this.#send(shownEvent(event, this.#words));
      return;
    }
    const [id, text] = event.type === 'tool_output' ? [event.id, event.chunk] : ['', event.text];
    const same = this.#gathered.find((each) => each.type === event.type && each.id === id);
    if (same === undefined) this.#gathered.push({ type: event.type, id, text });
    else same.text += text;
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { type, id, text } of this.#gathered.splice(0))
      this.#send(type === 'tool_output' ? { type, id, chunk: text } : { type, text });
  }
}
