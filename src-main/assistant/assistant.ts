import { randomUUID } from 'node:crypto';
import type { SentMessage, TurnStopReason } from '../../src-preload/contract/events.ts';
import { parseBoundedInput } from '../base/bounded-json.ts';
import { errorMessage } from '../base/errors.ts';
import type { ToolLine } from '../models/guide/tool-line.ts';
import type { ToolCallServices } from './call-services.ts';
import { ConversationLog, type EventStore, type Listener } from './conversation-log.ts';
import { ToolCalls } from './tool-calls.ts';
import { type Notice, STOPPED, STOPPED_END, Turn, type TurnServices } from './turn.ts';
import { TurnEndedByCall } from './turn-ended-by-call.ts';

/** One turn at a time in one conversation, over all processes that share the profile. Storage implements it. */
export interface Leases {
  acquire(conversationId: string): { release(): void } | { readonly heldByPid: number };
}

export interface TurnOptions {
  readonly conversationId: string;
  readonly signal: AbortSignal;
  readonly listener: Listener;
  /** Notices that are shown at the start of the turn and stored with it. */
  readonly notices?: readonly Notice[];
}

/** A turn is already running in this conversation, usually in another process. */
export class ConversationBusy extends Error {
  override readonly name = 'ConversationBusy';

  constructor(pid: number) {
    super(
      pid === process.pid
        ? 'Steward is still answering in this conversation. Wait for the answer, or stop it first.'
        : `Another Steward process (pid ${pid}) is answering in this conversation. Wait for it, or start a new conversation.`,
    );
  }
}

/** Runs turns. All of them end with a `turn_end` event; what a crash left open is closed before the next one. */
export class Assistant {
  readonly #events: EventStore;
  readonly #leases: Leases;

  constructor(events: EventStore, leases: Leases) {
    this.#events = events;
    this.#leases = leases;
  }

  /** Throws `ConversationBusy`, or what storage throws when nothing can be committed. */
  send(message: SentMessage, services: TurnServices, options: TurnOptions): Promise<TurnStopReason> {
    return this.#withTurn(options, (log) => new Turn(services, log, options.signal).answer(message, options.notices));
  }

  retry(services: TurnServices, options: TurnOptions): Promise<TurnStopReason> {
    return this.#withTurn(options, (log) => new Turn(services, log, options.signal).retry(options.notices));
  }

  /** Summarises the older messages of a conversation now. */
  summarise(services: TurnServices, options: TurnOptions): Promise<TurnStopReason> {
    return this.#withTurn(options, (log) => new Turn(services, log, options.signal).summariseNow(options.notices));
  }

  /**
   * Runs one tool that the user called by name, through the same policy, without a model. `message` is the line as it
   * was sent.
   */
  runTool(
    call: ToolLine,
    message: SentMessage,
    services: ToolCallServices,
    options: TurnOptions,
  ): Promise<TurnStopReason> {
    return this.#withTurn(options, async (log) => {
      log.append({ type: 'user_message', ...message, callsTools: true });
      for (const notice of options.notices ?? []) log.append({ type: 'notice', ...notice });
      const id = `user_${randomUUID().replaceAll('-', '')}`;
      try {
        await new ToolCalls(services, log, 'person', options.signal).run([
          { id, name: call.name, ...parseInput(call.input) },
        ]);
      } catch (error) {
        if (!(error instanceof TurnEndedByCall)) throw error;
        log.appendAll([
          { type: 'error', ...error.failure },
          { type: 'turn_end', stopReason: 'error' },
        ]);
        return 'error';
      }
      return endOf(log, options.signal);
    });
  }

  /**
   * A command that needs no model, as its own turn, which models never see. An error thrown by `work` is its answer.
   */
  answerCommand(message: SentMessage, work: () => Promise<string>, options: TurnOptions): Promise<TurnStopReason> {
    return this.#withTurn(options, async (log) => {
      log.append({ type: 'user_message', ...message, isCommand: true });
      try {
        log.append({ type: 'block', block: { type: 'text', text: await work() } });
      } catch (error) {
        if (!options.signal.aborted) {
          const message = errorMessage(error);
          log.append({ type: 'error', code: 'command_failed', message });
        }
      }
      return endOf(log, options.signal);
    });
  }

  async #withTurn(
    { conversationId, listener }: TurnOptions,
    work: (log: ConversationLog) => Promise<TurnStopReason>,
  ): Promise<TurnStopReason> {
    const lease = this.#leases.acquire(conversationId);
    if (!('release' in lease)) throw new ConversationBusy(lease.heldByPid);
    try {
      const log = new ConversationLog(this.#events, conversationId, randomUUID(), listener);
      log.closeInterruptedTurn();
      return await work(log);
    } finally {
      lease.release();
    }
  }
}

function parseInput(text: string): { input: unknown; invalidInput?: { raw: string; reason: string } } {
  if (text.trim() === '') return { input: {} };
  try {
    return { input: parseBoundedInput(text) };
  } catch (error) {
    return { input: {}, invalidInput: { raw: text, reason: errorMessage(error) } };
  }
}

/** Ends a turn without a model. */
function endOf(log: ConversationLog, signal: AbortSignal): TurnStopReason {
  if (signal.aborted) log.append(STOPPED);
  const end = signal.aborted ? STOPPED_END : ({ type: 'turn_end', stopReason: 'end_turn' } as const);
  log.append(end);
  return end.stopReason;
}
