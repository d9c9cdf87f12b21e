import { isDeepStrictEqual } from 'node:util';
import type { AssistantBlock, ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import type { EventOf, Mark, SentMessage, TokenUsage, TurnStopReason } from '../../src-preload/contract/events.ts';
import { FIND_TOOLS } from '../../src-preload/contract/find-tools.ts';
import { errorMessage } from '../base/errors.ts';
import {
  costUsd,
  ModelError,
  type ModelProvider,
  type ModelStopReason,
  type ModelStreamEvent,
  type ToolDefinition,
} from '../models/provider.ts';
import { eachOnce } from '../policy/mark-sources.ts';
import type { OfferedTool } from '../tools/registry/registry.ts';
import { boundedCall, type RequestedCall } from './bounded-call.ts';
import type { ToolCallServices } from './call-services.ts';
import { planCompaction, summarise } from './compaction.ts';
import { contextTokens, needsCompaction, withAttachmentsGiven } from './context-window.ts';
import type { ConversationLog } from './conversation-log.ts';
import { eventsInContext } from './events-in-context.ts';
import { leftOutNotice, leftOutText } from './left-out-text.ts';
import { LiveText } from './live-text.ts';
import { retryNotice } from './retry-text.ts';
import { type PromptFacts, systemPrompt } from './system-prompt.ts';
import { ToolCalls } from './tool-calls.ts';
import { callIdOf, filledTools, firstMessage, requestTools, TOOLS_LEFT_OUT, toolUses } from './tool-uses.ts';
import { TurnEndedByCall } from './turn-ended-by-call.ts';
import { keptChanges } from './undo/undo-plan.ts';

/** Something the user should know that is not an error of this turn. */
export interface Notice {
  readonly code: string;
  readonly message: string;
}

export interface TurnServices extends ToolCallServices {
  readonly provider: ModelProvider;
  readonly model: string;
  /** The most rounds of requests to the model in one turn. */
  readonly maxRounds: number;
  readonly promptFacts: () => PromptFacts;
  /**
   * Waits a moment for tools that are on their way. Resolves with what the user should know of those that are not there
   * yet.
   */
  readonly awaitTools: (signal: AbortSignal) => Promise<readonly Notice[]>;
}

interface Round {
  readonly stopReason: ModelStopReason;
  readonly calls: readonly RequestedCall[];
  readonly isEmpty: boolean;
}

type RetryEvent = Extract<ModelStreamEvent, { type: 'retry' }>;

/** The end of a turn that the user stopped. */
export const STOPPED_END = { type: 'turn_end', stopReason: 'interrupted', wasStopped: true } as const;
export const STOPPED = { type: 'notice', code: 'stopped', message: 'Stopped. Everything up to here is kept.' } as const;
const IDENTIFIER = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * One turn: the user's message, then model rounds and tool calls until the model is done. Everything is committed
 * before it is shown; whatever happens, the turn ends with a `turn_end` event and the conversation can continue.
 */
export class Turn {
  readonly #services: TurnServices;
  readonly #log: ConversationLog;
  readonly #signal: AbortSignal;
  readonly #usedCallIds: Set<string>;

  constructor(services: TurnServices, log: ConversationLog, signal: AbortSignal) {
    this.#services = services;
    this.#log = log;
    this.#signal = signal;
    this.#usedCallIds = new Set(log.events.flatMap(callIdOf));
  }

  async answer(message: SentMessage, notices: readonly Notice[] = []): Promise<TurnStopReason> {
    const { provider, model } = this.#services;
    this.#log.append({ type: 'user_message', ...withAttachmentsGiven(message, provider.limits(model)) });
    return this.#run(notices);
  }

  /** Answers the last user message again; everything after it leaves the model's history. */
  async retry(notices: readonly Notice[] = []): Promise<TurnStopReason> {
    const message = this.#log.events.findLast((event) => event.type === 'user_message' && event.isCommand !== true);
    if (message === undefined) throw new Error('There is no message to try again in this conversation.');
    const kept = keptChanges(this.#log.events, message.seq);
    this.#log.append({ type: 'retry', afterSeq: message.seq, ...(kept.length === 0 ? {} : { kept }) });
    return this.#run(notices);
  }

  /** Summarises all but the last exchange now. There is no message and no answer. */
  async summariseNow(notices: readonly Notice[] = []): Promise<TurnStopReason> {
    return this.#run(notices, async () => {
      if (!(await this.#compact(0)))
        this.#notice(
          'nothing_to_summarise',
          'There is nothing to summarise yet. The last message and its answer stay as they are.',
        );
      return 'end_turn';
    });
  }

  async #run(notices: readonly Notice[], work = () => this.#rounds()): Promise<TurnStopReason> {
    for (const { code, message } of notices) this.#notice(code, message);
    const end = await work().then(
      (stopReason) => ({ type: 'turn_end', stopReason }) as const,
      (error: unknown) => this.#failed(error),
    );
    this.#services.tools.turnEnded();
    this.#log.append(end);
    return end.stopReason;
  }

  #failed(error: unknown): EventOf<'turn_end'> {
    if (this.#signal.aborted) {
      this.#log.append(STOPPED);
      return STOPPED_END;
    }
    if (error instanceof TurnEndedByCall) {
      this.#log.append({ type: 'error', ...error.failure });
      return { type: 'turn_end', stopReason: 'error' };
    }
    if (error instanceof ModelError) {
      const { code, message } = error;
      const remedies = this.#services.provider.remedies(code);
      this.#log.append({ type: 'error', code, message, ...(remedies.length === 0 ? {} : { remedies }) });
      return { type: 'turn_end', stopReason: 'error' };
    }
    // A full disk fails here again and is reported as that; anything else is an internal error.
    this.#log.append({
      type: 'error',
      code: 'internal',
      message: `Something went wrong in Steward: ${errorMessage(error)}`,
    });
    return { type: 'turn_end', stopReason: 'error' };
  }

  async #rounds(): Promise<TurnStopReason> {
    const { maxRounds } = this.#services;
    for (const { code, message } of await this.#services.awaitTools(this.#signal)) this.#notice(code, message);
    for (let count = 1; count <= maxRounds; count += 1) {
      const round = await this.#roundWithinWindow();
      if (round.calls.length > 0) {
        await new ToolCalls(this.#services, this.#log, 'model', this.#signal).run(round.calls);
        this.#signal.throwIfAborted();
      } else if (round.stopReason !== 'pause_turn') {
        return this.#ended(round);
      }
    }
    this.#log.append({
      type: 'notice',
      code: 'round_limit',
      message: `Stopped after ${maxRounds} rounds with the model, the limit for one turn (limits.rounds). Send a message to continue.`,
    });
    return 'round_limit';
  }

  #ended(round: Round): TurnStopReason {
    switch (round.stopReason) {
      case 'max_tokens':
        this.#notice(
          'max_tokens',
          'The answer reached the length limit and was cut off. Send "continue" for the rest.',
        );
        return 'max_tokens';
      case 'model_context_window_exceeded':
        this.#notice(
          'context_window_exceeded',
          "The conversation filled the model's context window and the answer was cut off. Older messages will be summarised before the next answer.",
        );
        return 'context_window_exceeded';
      case 'refusal':
        return 'refusal';
      case 'stop_sequence':
        return 'stop_sequence';
      default:
        if (round.isEmpty) this.#notice('empty_answer', 'The model ended its turn without an answer.');
        return 'end_turn';
    }
  }

  /** Runs one round. If the conversation has outgrown the context window, old rounds are summarised first. */
  async #roundWithinWindow(): Promise<Round> {
    const { provider, model } = this.#services;
    const { messages } = this.#log.history({ provider: provider.name, model });
    const last = this.#log.events.findLast((event) => event.type === 'round_end');
    const overflowed = last?.type === 'round_end' && last.stopReason === 'model_context_window_exceeded';
    // A message that a retry replaced does not count.
    const compactedSince =
      eventsInContext(this.#log.events).findLast((event) => event.type === 'compaction')?.seq ?? -1;
    if (
      needsCompaction(contextTokens(this.#log.events, messages), provider.limits(model)) ||
      (overflowed && compactedSince < (last?.seq ?? 0))
    ) {
      await this.#compact();
    }
    try {
      return await this.#round();
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'context_too_long' || !(await this.#compact())) throw error;
      return this.#round();
    }
  }

  /** False if there is nothing left to summarise. */
  async #compact(keepShare?: number): Promise<boolean> {
    const { provider, model } = this.#services;
    const plan = planCompaction(this.#log.events, provider.limits(model), keepShare);
    if (plan === undefined) return false;
    const marks = this.#log.marks();
    const onRetry = (retry: RetryEvent) => this.#log.append(retryNotice(retry));
    const summary = await summarise(plan, { provider, model, signal: this.#signal, onRetry });
    this.#log.appendAll([
      this.#usageEvent(summary.usage),
      { type: 'compaction', summary: summary.text, replaced: plan.messages, throughSeq: plan.throughSeq, marks },
    ]);
    this.#notice(
      'compacted',
      'Older messages were summarised to make room. You still see all of them; the model sees the summary.',
    );
    return true;
  }

  async #round(): Promise<Round> {
    const { provider, model, promptFacts } = this.#services;
    this.#signal.throwIfAborted();
    const tools = await this.#offeredTools();
    const facts = promptFacts();
    const prompts = this.#services.tools.prompts();
    const marks = this.#newMarksOf([...tools, ...prompts]);
    this.#log.append({ type: 'round_start', model, provider: provider.name, ...(marks.length === 0 ? {} : { marks }) });
    const text = new LiveText((delta) => this.#log.append({ type: 'text_delta', text: delta }));
    const calls: RequestedCall[] = [];
    let said = '';
    let streamed = '';
    let isEmpty = true;
    let end: Extract<ModelStreamEvent, { type: 'end' }> | undefined;
    try {
      const stream = provider.stream({
        model,
        system: systemPrompt(facts, prompts),
        messages: this.#log.history({ provider: provider.name, model }).messages,
        tools,
        signal: this.#signal,
      });
      for await (const event of stream) {
        if (event.type === 'text') {
          streamed += event.text;
          text.push(event.text);
        } else if (event.type === 'thinking') {
          this.#log.show(event);
        } else if (event.type === 'retry') {
          this.#log.append(retryNotice(event));
        } else if (event.type === 'left_out') {
          this.#noticeAbout(leftOutNotice(event, model));
        } else if (event.type === 'block') {
          streamed = '';
          isEmpty = false;
          const block = event.block.type === 'tool_use' ? this.#withUniqueId(boundedCall(event.block)) : event.block;
          this.#commitBlock(text.take(), block);
          if (block.type === 'text') said = block.text;
          if (block.type === 'tool_use') calls.push({ ...block, said });
        } else {
          end = event;
        }
      }
    } finally {
      const unshown = text.take();
      // The stream was interrupted inside a text block: the text shown is kept as its own block.
      if (streamed !== '') this.#commitBlock(unshown, { type: 'text', text: streamed });
    }
    this.#signal.throwIfAborted();
    if (end === undefined)
      throw new ModelError('stream_broken', 'The answer was interrupted. What arrived is kept. Try again.');
    this.#log.appendAll([this.#usageEvent(end.usage), { type: 'round_end', stopReason: end.stopReason }]);
    if (end.stopReason === 'refusal') {
      const detail = end.detail === undefined ? '' : ` (${end.detail})`;
      this.#notice(
        'refusal',
        `The model declined to answer this${detail}. Rephrase it, or ask something else; it no longer sees this exchange.`,
      );
      return { stopReason: 'refusal', calls: [], isEmpty };
    }
    return { stopReason: end.stopReason, calls, isEmpty };
  }

  /**
   * What clients say in the system prompt and about their tools is as much in the context as a result; of servers, a
   * user has accepted it.
   */
  #newMarksOf(texts: readonly { readonly marks?: readonly Mark[] }[]): readonly Mark[] {
    const known = new Set(this.#log.marks().map(({ kind, source }) => `${kind} ${source}`));
    return eachOnce(texts.flatMap(({ marks = [] }) => marks)).filter(
      ({ kind, source }) => !known.has(`${kind} ${source}`),
    );
  }

  /**
   * The user is told once that the model is not given all of them. What it is given beside the basic ones is chosen
   * then, and kept in the log, so that a restart changes nothing.
   */
  async #offeredTools(): Promise<readonly (ToolDefinition & Pick<OfferedTool, 'marks'>)[]> {
    const { tools, provider, model } = this.#services;
    const { deferredTools: canDefer, definesDeferredTools } = provider.capabilities(model);
    const uses = toolUses(this.#log.events);
    const fills = !canDefer || definesDeferredTools !== true;
    const said = this.#log.events.filter((event) => event.type === 'notice' && event.code === TOOLS_LEFT_OUT);
    const known = fills ? filledTools(said) : undefined;
    const offer = tools.offer({ uses, canDefer, filled: known });
    const found = offer.deferred.length + offer.leftOut.length;
    if (found === 0 || known !== undefined || (!fills && said.length > 0)) return requestTools(offer);
    const filled = fills ? await tools.fill({ uses, message: firstMessage(this.#log.events) }) : undefined;
    const first = filled === undefined ? offer : tools.offer({ uses, canDefer, filled });
    const canFind = first.tools.some(({ name }) => name === FIND_TOOLS);
    const message = leftOutText({ all: offer.tools.length + found, given: first.tools.length, canFind });
    this.#log.append({ type: 'notice', code: TOOLS_LEFT_OUT, message, ...(filled === undefined ? {} : { filled }) });
    return requestTools(first);
  }

  /** The API refuses a history with duplicate ids, so a repeated id is replaced by a new one. */
  #withUniqueId(block: ToolUseBlock): ToolUseBlock {
    const isUsable = IDENTIFIER.test(block.id) && !this.#usedCallIds.has(block.id);
    const id = isUsable ? block.id : `call_${this.#log.turnId.slice(0, 8)}_${this.#usedCallIds.size}`;
    this.#usedCallIds.add(id);
    return isUsable ? block : { ...block, id };
  }

  /** `unshown` is the last of its text, which is shown first. */
  #commitBlock(unshown: string, block: AssistantBlock): void {
    const delta = unshown === '' ? [] : [{ type: 'text_delta', text: unshown } as const];
    this.#log.appendAll([...delta, { type: 'block', block }]);
  }

  #usageEvent(usage: TokenUsage): EventOf<'usage'> {
    const { provider, model } = this.#services;
    const price = provider.price(model);
    const cost = price === undefined ? {} : { costUsd: costUsd(usage, price) };
    return { type: 'usage', model, provider: provider.name, ...usage, ...cost };
  }

  /** Said once, and again if the names change. */
  #noticeAbout(notice: Notice & { readonly names: readonly string[] }): void {
    const said = this.#log.events.findLast((event) => event.type === 'notice' && event.code === notice.code);
    if (said?.type !== 'notice' || !isDeepStrictEqual(said.names, notice.names))
      this.#log.append({ type: 'notice', ...notice });
  }

  #notice(code: string, message: string): void {
    this.#log.append({ type: 'notice', code, message });
  }
}
