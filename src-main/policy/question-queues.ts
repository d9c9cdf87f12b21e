import { SerialQueue } from '../base/serial-queue.ts';

/** Where a question comes from. */
export interface QuestionOrigin {
  /** `null` outside any conversation, such as a permission grant. */
  readonly conversationId: string | null;
  /** A tool call, or something the user just did: their own question does not wait for those of calls. */
  readonly askedFor: 'call' | 'user';
}

export interface QuestionQueuesOptions {
  /**
   * True if the surface asks one question at a time, across conversations (a terminal). Default: one per conversation.
   */
  readonly isOneForAll?: boolean;
  /** Called on every change of `waiting`. */
  readonly onWaiting?: () => void;
}

/** Serializes questions per conversation; conversations do not wait for each other. */
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

  /** The number of queued questions from calls of a conversation (`null`: of none), without the one being asked. */
  waiting(conversationId: string | null): number {
    const of = (askedFor: QuestionOrigin['askedFor']) =>
      this.#queues.get(`${askedFor} ${conversationId ?? ''}`)?.waiting ?? 0;
    return of('call') + of('user');
  }
}
