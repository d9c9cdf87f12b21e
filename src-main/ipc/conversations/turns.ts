import type { StoredEvent, TurnStopReason } from '../../../src-preload/contract/events.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { Listener } from '../../assistant/conversation-log.ts';
import { IpcError } from '../ipc-error.ts';
import { shownEvent, type Words } from './shown-event.ts';
import { TurnFeed } from './turn-feed.ts';

export interface TurnsOptions {
  readonly send: (events: AppEvents['turn']) => void;
  /** Called when a turn starts or ends. */
  readonly onChange: () => void;
  /** Called with each committed event, of a turn or from outside one. */
  readonly onEvent: (event: StoredEvent) => void;
  /** Called before a turn's work starts. */
  readonly prepare: (conversationId: string) => Promise<void>;
  readonly onEnd: () => void;
  /** Called when a turn ended with an error that could not be committed. */
  readonly onFailure: (error: unknown) => void;
}

interface Running {
  readonly feed: TurnFeed;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

type Work = (options: {
  readonly conversationId: string;
  readonly signal: AbortSignal;
  readonly listener: Listener;
}) => Promise<TurnStopReason>;

/** The turns running in this process, at most one per conversation. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** The ids of the conversations. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  isRunning(conversationId: string): boolean {
    return this.#running.has(conversationId);
  }

  /** Throws `IpcError` (`already_answering`). */
  refuseIfRunning(conversationId: string): void {
    if (this.#running.has(conversationId))
      throw new IpcError(
        'already_answering',
        'Steward is still answering in this conversation. Wait for the answer, or stop it first.',
      );
  }

  /** An event from outside the turn: in order with those of the conversation's turn, if one is running. */
  tell(event: StoredEvent, words: Words): void {
    this.#options.onEvent(event);
    const running = this.#running.get(event.conversationId);
    if (running !== undefined) running.feed.push(event);
    else this.#options.send({ conversationId: event.conversationId, events: [shownEvent(event, words)] });
  }

  /**
   * Starts a turn; `words` describe its calls to the window. Resolves once its first event is committed; errors before
   * that are thrown here (`ConversationBusy`, a full disk). Throws `IpcError` (`already_answering`, `closing`).
   */
  async begin(conversationId: string, words: Words, work: Work): Promise<void> {
    if (this.#isClosed) throw new IpcError('closing', 'Steward is closing. Ask again when you have reopened it.');
    this.refuseIfRunning(conversationId);
    const { send, onChange, onEvent, onEnd, onFailure, prepare } = this.#options;
    const stop = new AbortController();
    const feed = new TurnFeed(words, (events) => send({ conversationId, events }));
    await new Promise<void>((begun, failed) => {
      let hasBegun = false;
      const listener: Listener = (event) => {
        feed.push(event);
        if ('seq' in event) onEvent(event);
        if (hasBegun || !('seq' in event)) return;
        hasBegun = true;
        begun();
      };
      const turn = prepare(conversationId).then(() => work({ conversationId, signal: stop.signal, listener }));
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
      this.#running.set(conversationId, { feed, stop, ended });
      onChange();
    });
  }

  /** Aborts the turn, if one is running, and waits for its end. */
  async stop(conversationId: string): Promise<void> {
    const running = this.#running.get(conversationId);
    // The text of a call that is cut off.
    running?.stop.abort(new Error('stopped by the user'));
    await running?.ended;
  }

  /** Stops every turn and prevents new ones, so that nothing starts while the app is closing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }
}
