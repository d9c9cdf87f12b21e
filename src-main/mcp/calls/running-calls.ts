import type { EventOf } from '../../../src-preload/contract/events.ts';
import type { CallClock } from './call-clock.ts';

/** A server's questions, and the usage of model answers to them, as recorded in a conversation. */
export type RecordedEvent = EventOf<'server_request'> | EventOf<'usage'>;

/** Where a call comes from. */
export interface CallOrigin {
  readonly conversationId: string;
  readonly record: (event: RecordedEvent) => void;
}

export interface RunningCall extends CallOrigin {
  /** Aborted when the call is stopped or over: nothing more is recorded. */
  readonly signal: AbortSignal;
}

export interface CallHooks {
  readonly signal: AbortSignal;
  /** Absent if the call belongs to no conversation. */
  readonly origin?: CallOrigin;
  /** Receives the clock, so that it can be paused while the call waits for the user. */
  readonly onClock?: (clock: Pick<CallClock, 'pause'>) => void;
}

/** One server's calls in progress. A server does not say which of them a request belongs to. */
export class RunningCalls {
  readonly #clocks = new Set<Pick<CallClock, 'pause'>>();
  readonly #calls = new Set<RunningCall>();

  /** Newest last. */
  get list(): readonly RunningCall[] {
    return [...this.#calls];
  }

  /** Pauses the clocks of all calls until the returned function is called. */
  pause(): () => void {
    const goOn = [...this.#clocks].map((clock) => clock.pause());
    return () => {
      for (const each of goOn) each();
    };
  }

  /** `make` makes the call, possibly several times, each time with a new clock. */
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
