import type { TurnStopReason } from '../../src-preload/contract/events.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { Listener } from '../assistant/conversation-log.ts';
import { IpcError } from './ipc-error.ts';
import type { Words } from './shown-event.ts';
import { TurnFeed } from './turn-feed.ts';

export interface TurnsOptions {
  readonly send: (events: AppEvents['turn']) => void;
  /** Hears that a turn began or ended. */
  readonly onChange: () => void;
  readonly onEnd: () => void;
  /** Hears of a turn that began and then ended with an error that could not be committed. */
  readonly onFailure: (error: unknown) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

type Work = (options: {
  readonly conversationId: string;
  readonly signal: AbortSignal;
  readonly listener: Listener;
}) => Promise<TurnStopReason>;

/** The turns that run in this process, at most one in each conversation. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Ids of conversations. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  isRunning(conversationId: string): boolean {
    return this.#running.has(conversationId);
  }

  /** Throws `IpcError` (`already_answering`). */
  refuseIfRunning(conversationId: string): void {
    if (this.#running.has(conversationId))
      throw new IpcError('already_answering', 'Steward is still answering in this conversation. Wait for the answer, or stop it first.');
  }

  /**
   * Begins a turn, whose calls the window hears of in these words. Resolves as soon as its first event is committed; what it
   * throws before that is thrown here (`ConversationBusy`, a full disk). Throws `IpcError` (`already_answering`, `closing`).
   */
  async begin(conversationId: string, words: Words, work: Work): Promise<void> {
    if (this.#isClosed) throw new IpcError('closing', 'Steward is closing. Ask again when you have reopened it.');
    this.refuseIfRunning(conversationId);
    const { send, onChange, onEnd, onFailure } = this.#options;
    const stop = new AbortController();
    const feed = new TurnFeed(words, (events) => send({ conversationId, events }));
    await new Promise<void>((begun, failed) => {
      let hasBegun = false;
      const listener: Listener = (event) => {
        feed.push(event);
        if (hasBegun || !('seq' in event)) return;
        hasBegun = true;
        begun();
      };
      const turn = work({ conversationId, signal: stop.signal, listener });
      const ended = turn
        .then(
          () => begun(),
          (error: unknown) => {
            if (hasBegun) onFailure(error);
            else failed(error);
          },
        )
        .finally(() => {
          feed.flush();
          this.#running.delete(conversationId);
          onChange();
          onEnd();
        });
      this.#running.set(conversationId, { stop, ended });
      onChange();
    });
  }

  /** Aborts the turn, if one runs, and waits for its end. */
  async stop(conversationId: string): Promise<void> {
    const running = this.#running.get(conversationId);
    // What a call that is cut off says of itself.
    running?.stop.abort(new Error('stopped by the user'));
    await running?.ended;
  }

  /** Stops every turn; none begins from here on, so that nothing is started behind what is being closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }
}
