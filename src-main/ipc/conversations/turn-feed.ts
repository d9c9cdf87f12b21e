import type { LiveEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import { FrameBatch } from '../../base/frame-batch.ts';
import { shownEvent, type Words } from './shown-event.ts';

type TurnEvent = AppEvents['turn']['events'][number];

/**
 * Forwards the events of a turn to the window in order, one message per frame: a command that prints endlessly costs
 * one message per frame, and fifty calls that return together are drawn once.
 */
export class TurnFeed {
  readonly #words: Words;
  readonly #batch: FrameBatch<TurnEvent>;

  constructor(words: Words, send: (events: readonly TurnEvent[]) => void) {
    this.#words = words;
    this.#batch = new FrameBatch((events) => send(joined(events)));
  }

  push(event: StoredEvent | LiveEvent): void {
    // A card shows it as output.
    if (event.type === 'tool_output' && event.progress !== undefined) return;
    this.#batch.push('seq' in event ? shownEvent(event, this.#words) : event);
  }

  flush(): void {
    this.#batch.flush();
  }
}

/** Adjacent deltas of the same text are merged. */
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
