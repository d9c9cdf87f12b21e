import type { LiveEvent, StoredEvent } from '../../src-preload/contract/events.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import { FrameBatch } from '../base/frame-batch.ts';
import { shownEvent, type Words } from './shown-event.ts';

type TurnEvent = AppEvents['turn']['events'][number];

/**
 * Passes the events of a turn on to the window, in order, those of one frame in one message: a command that prints without
 * end costs one message per frame, and fifty calls that return at one stroke are drawn once.
 */
export class TurnFeed {
  readonly #words: Words;
  readonly #batch: FrameBatch<TurnEvent>;

  constructor(words: Words, send: (events: readonly TurnEvent[]) => void) {
    this.#words = words;
    this.#batch = new FrameBatch((events) => send(joined(events)));
  }

  push(event: StoredEvent | LiveEvent): void {
    this.#batch.push('seq' in event ? shownEvent(event, this.#words) : event);
  }

  flush(): void {
    this.#batch.flush();
  }
}

/** Neighbours that carry one text on are one event. */
function joined(events: readonly TurnEvent[]): readonly TurnEvent[] {
  const result: TurnEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const whole = last === undefined ? undefined : continued(last, event);
    if (whole === undefined) result.push(event);
    else result[result.length - 1] = whole;
  }
  return result;
}

function continued(last: TurnEvent, next: TurnEvent): LiveEvent | undefined {
  if (last.type === 'thinking' && next.type === 'thinking') return { type: 'thinking', text: last.text + next.text };
  if (last.type === 'tool_output' && next.type === 'tool_output' && last.id === next.id)
    return { type: 'tool_output', id: last.id, chunk: last.chunk + next.chunk };
  return undefined;
}
