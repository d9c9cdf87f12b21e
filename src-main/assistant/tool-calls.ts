import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { CalledBy, EventOf } from '../../src-preload/contract/events.ts';
import { type Tool, ToolFailure, type ToolInput } from '../tools/contract.ts';
import type { GroupOpening } from '../tools/registry/group-opening.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import type { KnownContext, NestedIn, SharedByCalls } from './asked-model.ts';
import type { RequestedCall } from './bounded-call.ts';
import { asRecord } from './call-events.ts';
import { CallOrder, type CallPlace } from './call-order.ts';
import { CallResults } from './call-results.ts';
import type { ToolCallServices } from './call-services.ts';
import type { ConversationLog } from './conversation-log.ts';
import { PathLocks } from './path-locks.ts';
import { type CallSurroundings, RunningCall } from './running-call.ts';
import { TurnEndedByCall } from './turn-ended-by-call.ts';

/** Enough for every real batch; a message with hundreds of calls must not start hundreds of processes at once. */
const CONCURRENT_CALLS = 32;

interface AnnouncedCall {
  readonly event: EventOf<'tool_call'>;
  start(known: KnownContext, place: CallPlace): Promise<void>;
}

/** Runs the calls of one assistant message: validates and announces all of them, then each runs in its order. */
export class ToolCalls {
  readonly #services: ToolCallServices;
  readonly #log: ConversationLog;
  readonly #calledBy: CalledBy;
  readonly #fault = new AbortController();
  readonly #nestedIn: NestedIn | undefined;
  readonly #shared: SharedByCalls;
  readonly #results: CallResults;
  readonly #around: CallSurroundings;

  constructor(
    services: ToolCallServices,
    log: ConversationLog,
    calledBy: CalledBy,
    signal: AbortSignal,
    nestedIn?: NestedIn,
  ) {
    this.#services = services;
    this.#log = log;
    this.#calledBy = calledBy;
    this.#nestedIn = nestedIn;
    this.#shared = nestedIn?.shared ?? { nestedSlots: pLimit(CONCURRENT_CALLS), locks: new PathLocks() };
    this.#results = new CallResults(log, calledBy, services);
    const stopped = AbortSignal.any([signal, this.#fault.signal]);
    // Every call of a batch listens to it several times. That is not a leak, but Node would warn about one.
    setMaxListeners(0, stopped);
    this.#around = {
      services,
      log,
      results: this.#results,
      signal: stopped,
      shared: this.#shared,
      nestedIn,
      runNested: (calls, tools, inside) => this.#runNested(calls, tools, inside),
    };
  }

  /**
   * Resolves when each call has its decision and its result. Rejects with `TurnEndedByCall` and with storage errors
   * once all calls have ended: nothing may be appended after the turn has ended.
   */
  async run(calls: readonly RequestedCall[]): Promise<void> {
    const limit = this.#nestedIn === undefined ? pLimit(CONCURRENT_CALLS) : this.#shared.nestedSlots;
    const known = this.#nestedIn?.known() ?? {
      marks: this.#log.marks(),
      outside: this.#log.outside(),
      ...this.#log.addresses().forCalls(),
    };
    const announced = calls.map((call) => this.#announce(call));
    this.#log.appendAll(announced.map(({ event }) => event));
    // Shared slots may be taken: no question may wait for a call that has none yet.
    const atOnce = this.#nestedIn === undefined ? CONCURRENT_CALLS : 0;
    const order = new CallOrder(announced.length, atOnce, this.#shared.locks);
    const running = announced
      .map(({ start }, index) => limit(() => order.run(index, (place) => start(known, place))))
      .map((call) =>
        call.catch((error: unknown) => {
          this.#fault.abort(error);
          throw error;
        }),
      );
    for (const outcome of await Promise.allSettled(running)) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Commits the calls, in the model's order, before any of them starts. */
  #announce(call: RequestedCall): AnnouncedCall {
    const { tools } = this.#services;
    if (call.invalidInput !== undefined) {
      const { reason } = call.invalidInput;
      const tool = tools.get(call.name);
      return this.#refuse(call, tool, {}, { code: 'invalid_json' }, `Error: Invalid JSON parameters: ${reason}`);
    }
    const prepared = tools.prepare(call.name, call.input);
    if (!prepared.ok)
      return this.#refuse(
        call,
        prepared.tool,
        asRecord(call.input),
        this.#whyRefused(call.name, prepared.tool),
        prepared.text,
        prepared.opening,
      );
    const { tool, input } = prepared.call;
    return {
      // What a server or program is sent; of our own tools as the model sent it: the gate shows the parsed input and
      // binds the answer to that.
      event: this.#callEvent(call.id, tool.name, tool.isForwarded === true ? input : asRecord(call.input)),
      start: (known, place) => new RunningCall(call, prepared.call, known, this.#around).run(place),
    };
  }

  #refuse(
    call: RequestedCall,
    tool: Tool | undefined,
    input: ToolInput,
    reason: DecisionReason,
    text: string,
    opening?: GroupOpening,
  ): AnnouncedCall {
    return {
      event: this.#callEvent(call.id, tool?.name ?? call.name, input),
      start: async () => {
        const result = opening === undefined ? text : `${opening.open()}\n\n${text}`;
        this.#results.refuse(call.id, tool, { reason, text: result, outcome: 'failed', marks: opening?.marks ?? [] });
      },
    };
  }

  #callEvent(id: string, name: string, input: ToolInput): EventOf<'tool_call'> {
    const { tools } = this.#services;
    const tool = tools.get(name);
    const asks = tool !== undefined && tools.asksModel(tool) ? tool.asks : undefined;
    return {
      type: 'tool_call',
      id,
      name,
      input,
      calledBy: this.#calledBy,
      words: tools.words(name, input),
      ...(this.#nestedIn === undefined ? {} : { inside: this.#nestedIn.callId }),
      ...(asks === undefined ? {} : { asks }),
    };
  }

  #whyRefused(called: string, tool: Tool | undefined): DecisionReason {
    const { tools } = this.#services;
    if (tool === undefined) {
      const closed = tools.missing(called);
      return closed === undefined ? { code: 'unknown_tool' } : { code: 'tool_unavailable', needs: closed.needs };
    }
    return { code: tools.isEnabled(tool) ? 'invalid_input' : 'tool_disabled' };
  }

  /** The calls of a model that one of these calls asks. */
  async #runNested(calls: readonly RequestedCall[], tools: Toolset, nestedIn: NestedIn): Promise<void> {
    const services = { ...this.#services, tools };
    try {
      await new ToolCalls(services, this.#log, 'model', this.#around.signal, nestedIn).run(calls);
    } catch (error) {
      if (!(error instanceof TurnEndedByCall)) throw error;
      // The failure ends the whole turn, including that of the call that asked.
      throw new ToolFailure(error.message, { cause: error, endsTurn: error.failure });
    }
  }
}
