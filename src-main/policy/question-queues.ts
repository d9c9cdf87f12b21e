import { SerialQueue } from '../base/serial-queue.ts';

/** Whose question it is. */
export interface QuestionOrigin {
  /** `null`: of no conversation, such as a permission grant. */
  readonly conversationId: string | null;
  /** A tool call, or something that the person has just done: their own question does not wait for those of calls. */
  readonly askedFor: 'call' | 'person';
}

export interface QuestionQueuesOptions {
  /** True: the surface asks one question at a time, whatever it belongs to (a terminal). Default: one per conversation. */
  readonly isOneForAll?: boolean;
  /** Hears of every change of `waiting`. */
  readonly onWaiting?: () => void;
}

/** Nobody is asked two things about one conversation at once; conversations do not wait for each other. */
export class QuestionQueues {
  readonly #queues = new Map<string, SerialQueue>();
  readonly #options: QuestionQueuesOptions;

  constructor(options: QuestionQueuesOptions = {}) {
    this.#options = options;
  }

  /** See `SerialQueue.run`. */
  async run<T>(origin: QuestionOrigin, signal: AbortSignal, task: (waited: boolean) => Promise<T>): Promise<T> {
    const { isOneForAll = false, onWaiting } = this.#options;
    const key = isOneForAll ? '' : `${origin.askedFor} ${origin.conversationId ?? ''}`;
    const queue = this.#queues.get(key) ?? new SerialQueue(onWaiting === undefined ? {} : { onWaiting });
    this.#queues.set(key, queue);
    try {
      return await queue.run(signal, task);
    } finally {
      if (queue.isIdle) this.#queues.delete(key);
    }
  }

  /** How many questions of calls of a conversation (`null`: of none) wait for the one that is being asked. */
  waiting(conversationId: string | null): number {
    const of = (askedFor: QuestionOrigin['askedFor']) =>
      this.#queues.get(`${askedFor} ${conversationId ?? ''}`)?.waiting ?? 0;
    return of('call') + of('person');
  }
}
