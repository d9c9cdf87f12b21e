import { SerialQueue } from '../base/serial-queue.ts';

/** The conversation of a question, and who needs its answer. */
export interface QuestionOrigin {
  /** The conversation, or null for what belongs to none, such as a permission grant. */
  readonly conversationId: string | null;
  /**
   * A tool call needs the answer, or something that the user just did. Questions of users do not wait for those of
   * calls.
   */
  readonly askedFor: 'call' | 'user';
}

export interface QuestionQueuesOptions {
  /**
   * The surface asks one question at a time across all conversations, as a terminal does. Otherwise each conversation
   * has a queue of its own.
   */
  readonly isOneForAll?: boolean;
  /** Called whenever `waiting` changes. */
  readonly onWaiting?: () => void;
}

/** Asks the questions of a conversation one after the other. Conversations do not wait for each other. */
export class QuestionQueues {
  readonly #queues = new Map<string, SerialQueue>();
  readonly #options: QuestionQueuesOptions;

  constructor(options: QuestionQueuesOptions = {}) {
    this.#options = options;
  }

  /** Runs the task when its turn comes; see `SerialQueue.run`. */
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

  /**
   * The number of queued questions from calls of a conversation, without the one that is being asked. With null, it is
   * about those of no conversation.
   */
  waiting(conversationId: string | null): number {
    const of = (askedFor: QuestionOrigin['askedFor']) =>
      this.#queues.get(`${askedFor} ${conversationId ?? ''}`)?.waiting ?? 0;
    return of('call') + of('user');
  }
}
