import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventOf } from '../../../src-preload/contract/events.ts';
import type { CallClock } from './call-clock.ts';

/** A server's questions, and the usage of model answers to them, as recorded in a conversation. */
export type RecordedEvent = EventOf<'server_request'> | EventOf<'usage'>;

/** What a call belongs to. */
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
  /** Receives the id of the task that the call became. */
  readonly onTask?: (taskId: string) => void;
}

/** What a server's request is for. */
export interface RequestOrigin {
  /** Undefined if none is in progress, or if the request is for no conversation. */
  readonly call: RunningCall | undefined;
  /** Conversations that it may be for. With more than one, the server did not say, and `call` is the newest. */
  readonly conversations: number;
  /**
   * Aborted once the requests that it may be for in the conversation of `call` are over; `undefined` if none is known.
   */
  readonly over: AbortSignal | undefined;
  /** Pauses the clocks of the calls that it may be for, until the returned function is called. */
  readonly pause: () => () => void;
}

interface Running {
  readonly call: RunningCall | undefined;
  /** Aborted when the request is stopped or over. */
  readonly signal: AbortSignal;
  clock: Pick<CallClock, 'pause'> | undefined;
  taskId: string | undefined;
}

/**
 * One server's requests in progress, and which of them a request of the server belongs to. That is known for what
 * arrives in the response to one of ours (the stream of a POST, an `input_required` result): the SDK does not expose
 * it, but handles it in the async context in which the request was sent (`transport/watched-transport.ts` sees to that
 * for results). A task is named by the server. Over stdio and the old SSE transport nothing says it.
 */
export class RunningCalls {
  readonly #running = new Set<Running>();
  readonly #context = new AsyncLocalStorage<Running | undefined>();

  /** `taskId` is the task that the server's request names. */
  originOf(taskId: string | undefined): RequestOrigin {
    const task = taskId === undefined ? undefined : [...this.#running].find((each) => each.taskId === taskId);
    const known = task ?? this.#context.getStore();
    if (known !== undefined) {
      const call = this.#running.has(known) ? known.call : undefined;
      const conversations = call === undefined ? 0 : 1;
      return { call, conversations, over: known.signal, pause: () => pauseAll([known]) };
    }
    const calls = [...this.#running].flatMap(({ call }) => call ?? []);
    const call = calls.at(-1);
    const own = calls.filter(({ conversationId }) => conversationId === call?.conversationId);
    // A request without a call, such as reading a resource, may be for any conversation.
    const others = this.#running.size - calls.length;
    return {
      call,
      conversations: call === undefined ? 0 : new Set(calls.map(({ conversationId }) => conversationId)).size + others,
      over: call === undefined ? undefined : allOver(own),
      pause: () => pauseAll(this.#running),
    };
  }

  /**
   * Runs work that outlives the request that started it, such as a connection. Nothing that arrives there belongs to
   * the request.
   */
  outside<T>(work: () => T): T {
    return this.#context.run(undefined, work);
  }

  /** `make` makes the request, possibly several times, each time with a new clock. */
  async during<T>(
    { signal, origin, onClock }: CallHooks,
    make: (hooks: Required<Pick<CallHooks, 'onClock' | 'onTask'>>) => Promise<T>,
  ): Promise<T> {
    const over = new AbortController();
    const eitherOver = AbortSignal.any([signal, over.signal]);
    const call = origin === undefined ? undefined : { ...origin, signal: eitherOver };
    const running: Running = { call, signal: eitherOver, clock: undefined, taskId: undefined };
    this.#running.add(running);
    const hooks = {
      onClock: (clock: Pick<CallClock, 'pause'>) => {
        running.clock = clock;
        onClock?.(clock);
      },
      onTask: (taskId: string) => {
        running.taskId = taskId;
      },
    };
    try {
      return await this.#context.run(running, () => make(hooks));
    } finally {
      this.#running.delete(running);
      over.abort(new Error('The call is over'));
    }
  }
}

function pauseAll(running: Iterable<Running>): () => void {
  const goOn = [...running].map(({ clock }) => clock?.pause());
  return () => {
    for (const each of goOn) each?.();
  };
}

/** Aborted once all calls have ended. */
function allOver(calls: readonly RunningCall[]): AbortSignal {
  const over = new AbortController();
  let left = calls.length;
  const one = () => {
    left -= 1;
    if (left === 0) over.abort(new Error('The call that asked is over'));
  };
  for (const { signal } of calls) {
    if (signal.aborted) one();
    else signal.addEventListener('abort', one, { once: true });
  }
  return over.signal;
}
