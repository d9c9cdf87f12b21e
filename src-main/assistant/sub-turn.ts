import type { AssistantBlock, ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import { type EventOf, NO_OUTPUT } from '../../src-preload/contract/events.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { Message, ToolResultBlock } from '../models/messages.ts';
import {
  costUsd,
  ModelError,
  type ModelErrorCode,
  type ModelProvider,
  type ModelStopReason,
} from '../models/provider.ts';
import { FixableError, type ModelQuestion, ToolFailure } from '../tools/contract.ts';
import type { ToolUse } from '../tools/registry/choose-offered.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import { failedToConnect } from '../tools/session/ask-model.ts';
import { boundedCall, type RequestedCall } from './bounded-call.ts';
import { INTERRUPTED_RESULT } from './history.ts';
import { type LeftOut, leftOutNotice } from './left-out-text.ts';
import { mediaOf, withinMediaRoom } from './result-media.ts';
import { retryNotice } from './retry-text.ts';
import { requestTools } from './tool-uses.ts';

/** A model that a call of `ask_{provider}` reaches. */
export interface AskedModel {
  readonly provider: ModelProvider;
  readonly model: string;
}

export interface AskedModels {
  /** Connects to nothing. Rejects if there is no such provider, or not at this address. */
  open(question: Pick<ModelQuestion, 'provider' | 'address'>): Promise<AskedModel>;
  /** Called if the provider could not be reached, so that the next call starts anew. */
  forget(provider: string): void;
}

export interface SubTurnPorts {
  readonly models: AskedModels;
  /** None of them asks a model. */
  readonly tools: Pick<Toolset, 'offer' | 'fill'>;
  /**
   * It is called before each round. Rejects with a `ToolFailure` if what was read by now must not be sent to this
   * model.
   */
  readonly allowSending: () => Promise<void>;
  /** Runs the calls of one answer; resolves with their results, in the same order. */
  readonly runCalls: (calls: readonly RequestedCall[]) => Promise<readonly (EventOf<'tool_result'> | undefined)[]>;
  /** A new id for a call in the log. */
  readonly newCallId: () => string;
  /** `usage` without the call it belongs to. */
  readonly record: (event: EventOf<'usage'> | EventOf<'notice'>) => void;
  readonly signal: AbortSignal;
}

interface Round {
  readonly blocks: readonly AssistantBlock[];
  readonly text: string;
  readonly calls: readonly ToolUseBlock[];
  readonly stopReason: ModelStopReason;
}

/** Source: tool catalogue E, "loop". */
const MAX_GENERATIONS = 10;
const STOPPED = `[Stopped after ${MAX_GENERATIONS} iterations]`;
/** A key is missing or wrong, or nothing answers. */
const NOT_CONNECTED: ReadonlySet<ModelErrorCode> = new Set([
  ...(['no_key', 'wrong_key', 'offline', 'no_answer', 'stream_broken'] as const),
]);
const IDENTIFIER = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * A question to another model, with the rounds and tool calls until it has answered. It has its own messages, which end
 * with it: the model knows neither the conversation nor earlier questions. Source: tool catalogue E.
 */
export class SubTurn {
  readonly #question: ModelQuestion;
  readonly #ports: SubTurnPorts;
  readonly #messages: Message[];
  readonly #usedIds = new Set<string>();
  readonly #uses: ToolUse[] = [];
  /** What it is offered beside what always is, chosen for its first round. */
  #filled: readonly string[] | undefined;
  /** What was said of files that are left out; each round would say it again. */
  #leftOut = '';
  /** The service has sent something of an answer. */
  #hasBegun = false;

  constructor(question: ModelQuestion, ports: SubTurnPorts) {
    this.#question = question;
    this.#ports = ports;
    this.#messages = [{ role: 'user', content: [{ type: 'text', text: question.prompt }] }];
  }

  /**
   * Resolves with the answer. Rejects with a `ToolFailure` when stopped, otherwise with an error whose message says
   * what went wrong.
   */
  async answer(): Promise<string> {
    try {
      return await this.#rounds();
    } catch (error) {
      if (!this.#ports.signal.aborted) throw error;
      throw new ToolFailure(INTERRUPTED_RESULT, { outcome: 'stopped', cause: error });
    }
  }

  async #rounds(): Promise<string> {
    const { models } = this.#ports;
    const asked = await models.open(this.#question);
    const said: string[] = [];
    let isPaused = false;
    for (let count = 1; count <= MAX_GENERATIONS; count += 1) {
      await this.#ports.allowSending();
      const round = await this.#round(asked, count === 1);
      const { text, calls, stopReason } = round;
      // What follows a pause continues the same text.
      if (isPaused) said.push((said.pop() ?? '') + text);
      else if (text.trim() !== '') said.push(text);
      isPaused = calls.length === 0 && stopReason === 'pause_turn';
      if (calls.length === 0 && !isPaused) return said.length > 0 ? said.join('\n') : answerOf(round, this.#maxTokens);
      this.#messages.push({ role: 'assistant', content: round.blocks });
      if (calls.length > 0) this.#messages.push({ role: 'user', content: await this.#results(calls, text) });
    }
    return [...said, STOPPED].join('\n');
  }

  get #maxTokens(): number {
    return Math.max(1, this.#question.maxTokens);
  }

  async #round({ provider, model }: AskedModel, isFirst: boolean): Promise<Round> {
    const { signal, tools } = this.#ports;
    const { deferredTools: canDefer, definesDeferredTools, tools: takesTools } = provider.capabilities(model);
    if (takesTools && definesDeferredTools !== true)
      this.#filled ??= await tools.fill({ uses: this.#uses, message: this.#question.prompt });
    const offer = tools.offer({ uses: this.#uses, canDefer, filled: this.#filled });
    const stream = provider.stream({
      model,
      system: '',
      messages: withinMediaRoom(this.#messages),
      tools: takesTools ? requestTools(offer) : [],
      maxTokens: this.#maxTokens,
      signal,
    });
    try {
      return await this.#read(stream, provider, model);
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      const remedies = provider.remedies(error.code);
      if (!isFirst || this.#hasBegun || !NOT_CONNECTED.has(error.code))
        throw new FixableError(error.message, { cause: error, remedies });
      this.#ports.models.forget(this.#question.provider);
      // The model that asked is told only that it failed; the user can do something about it.
      this.#ports.record({
        type: 'notice',
        code: 'asked_model_unreachable',
        message: `${this.#question.provider}: ${error.message}`,
      });
      throw new FixableError(failedToConnect(this.#question.provider), { cause: error, remedies });
    }
  }

  async #read(stream: ReturnType<ModelProvider['stream']>, provider: ModelProvider, model: string): Promise<Round> {
    const { signal, record } = this.#ports;
    const blocks: AssistantBlock[] = [];
    const events = stream[Symbol.asyncIterator]();
    // A provider that ignores Stop must not delay it.
    const next = () => untilAborted(events.next(), signal);
    try {
      for (let event = await next(); event.done !== true; event = await next()) {
        const { value } = event;
        this.#hasBegun ||= value.type !== 'retry';
        if (value.type === 'block')
          blocks.push(value.block.type === 'tool_use' ? this.#usable(value.block) : value.block);
        else if (value.type === 'retry') record(retryNotice(value, this.#question.provider));
        else if (value.type === 'left_out') this.#tellLeftOut(value, model);
        else if (value.type === 'end') {
          const cost = costUsd(value.usage, provider.price(model));
          record({
            type: 'usage',
            model,
            provider: this.#question.provider,
            ...value.usage,
            ...(cost === undefined ? {} : { costUsd: cost }),
          });
          return roundOf(blocks, value);
        }
      }
    } finally {
      void Promise.resolve(events.return?.()).catch(() => undefined);
    }
    throw new ModelError('stream_broken', 'The answer was interrupted.');
  }

  /**
   * Tells only of files: that tools are missing shows in the answer, and is said where that model is the one that
   * answers.
   */
  #tellLeftOut(event: LeftOut, model: string): void {
    const { code, message } = leftOutNotice(event, model);
    if (code !== 'files_refused' || message === this.#leftOut) return;
    this.#leftOut = message;
    this.#ports.record({ type: 'notice', code, message: `${this.#question.provider}: ${message}` });
  }

  async #results(calls: readonly ToolUseBlock[], said: string): Promise<readonly ToolResultBlock[]> {
    const { runCalls, newCallId, signal } = this.#ports;
    this.#uses.push(...calls.map(({ name }) => ({ name, isFoundInHistory: false })));
    const results = await runCalls(calls.map((call) => ({ ...call, id: newCallId(), said })));
    signal.throwIfAborted();
    const found = results.flatMap((result) => result?.foundTools ?? []);
    this.#uses.push(...found.map((name) => ({ name, isFoundInHistory: true })));
    return calls.map(({ id }, index) => resultBlock(id, results[index]));
  }

  /** Services refuse a history with duplicate ids. */
  #usable(block: ToolUseBlock): ToolUseBlock {
    const call = boundedCall(block);
    const isUsable = IDENTIFIER.test(call.id) && !this.#usedIds.has(call.id);
    const id = isUsable ? call.id : `call_${this.#usedIds.size + 1}_${this.#ports.newCallId()}`.slice(0, 64);
    this.#usedIds.add(id);
    return { ...call, id };
  }
}

function roundOf(
  blocks: readonly AssistantBlock[],
  { stopReason, detail }: { readonly stopReason: ModelStopReason; readonly detail?: string },
): Round {
  if (stopReason === 'refusal')
    throw new FixableError(`The model declined to answer this${detail === undefined ? '' : ` (${detail})`}.`);
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { blocks, text, stopReason, calls: blocks.filter((block) => block.type === 'tool_use') };
}

/** An answer that was cut off counts, unless nothing of it was left. */
function answerOf({ text, stopReason }: Round, maxTokens: number): string {
  if (text.trim() !== '' || stopReason !== 'max_tokens') return text;
  throw new FixableError(
    `The answer reached its limit of ${maxTokens} tokens before any text. Ask again with more max_tokens.`,
  );
}

function resultBlock(toolUseId: string, event: EventOf<'tool_result'> | undefined): ToolResultBlock {
  if (event === undefined) return { type: 'tool_result', toolUseId, content: INTERRUPTED_RESULT, isError: true };
  const text = event.modelText ?? event.text;
  const media = mediaOf(event);
  return {
    type: 'tool_result',
    toolUseId,
    content: text === '' ? NO_OUTPUT : text,
    isError: event.isError,
    ...(event.text === '' ? { isEmpty: true as const } : {}),
    ...(media.length === 0 ? {} : { media }),
    ...(event.foundTools === undefined ? {} : { foundTools: event.foundTools }),
  };
}
