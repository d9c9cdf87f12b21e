import type { EventOf } from '../../src-preload/contract/events.ts';
import type { CallClock } from './call-clock.ts';

/** What is kept in a conversation of a server's questions, and of the model's answers to it. */
export type RecordedEvent = EventOf<'server_request'> | EventOf<'usage'>;

/** Whose call it is. */
export interface CallOrigin {
  readonly conversationId: string;
  readonly record: (event: RecordedEvent) => void;
}

export interface RunningCall extends CallOrigin {
  /** Aborted when it is stopped or over: nothing is recorded any more. */
  readonly signal: AbortSignal;
}

export interface CallHooks {
  readonly signal: AbortSignal;
  /** Absent: it belongs to no conversation. */
  readonly origin?: CallOrigin;
  /** Given the clock, so that it can stand still while the call waits for a person. */
  readonly onClock?: (clock: Pick<CallClock, 'pause'>) => void;
}

/** The calls of one server that are being made. A server does not say for which of them it asks something. */
export class RunningCalls {
  readonly #clocks = new Set<Pick<CallClock, 'pause'>>();
  readonly #calls = new Set<RunningCall>();

  /** The newest last. */
  get list(): readonly RunningCall[] {
    return [...this.#calls];
  }

  /** Stops the clocks of all of them until what is returned is called. */
  pause(): () => void {
    const goOn = [...this.#clocks].map((clock) => clock.pause());
    return () => {
      for (const each of goOn) each();
    };
  }

  /** `make`: makes the call, perhaps several times, each with a clock of its own. */
  async during<T>(
    { signal, origin, onClock }: CallHooks,
    make: (onClock: (clock: Pick<CallClock, 'pause'>) => void) => Promise<T>,
  ): Promise<T> {
    const over = new AbortController();
    const call = origin === undefined ? undefined : { ...origin, signal: AbortSignal.any([signal, over.signal]) };
    if (call !== undefined) this.#calls.add(call);
    let running: Pick<CallClock, 'pause'> | undefined;
    try {
      return await make((clock) => {
        if (running !== undefined) this.#clocks.delete(running);
        running = clock;
        this.#clocks.add(clock);
        onClock?.(clock);
      });
    } finally {
      if (running !== undefined) this.#clocks.delete(running);
      if (call !== undefined) this.#calls.delete(call);
      over.abort(new Error('The call is over'));
    }
  }
}
