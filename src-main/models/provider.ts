import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../src-preload/contract/events.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { Message } from './messages.ts';

/** A tool as a provider offers it to its model: name in wire form, description never empty, root type "object". */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Known to the service, but loaded for the model only once `find_tools` has found it. Only if `capabilities` says
   * `deferredTools`.
   */
  readonly isDeferred?: true;
  /** What an empty result means, for people: `the file is empty.`; never sent to a model. */
  readonly nothing?: string;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Valid pairing is the caller's duty: every tool_use is answered in the next user message. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Default: the model's own maximum, within reason. */
  readonly maxTokens?: number;
  /** 0 to 2. Default: the service's. Not sent to a model that does not accept it. */
  readonly temperature?: number;
  /** How much the model thinks before it answers. Default: the service's. Not sent to a model without a choice. */
  readonly effort?: Effort;
  /**
   * Texts at which the model stops; none is blank. Some services take few or none, so the caller cuts the answer:
   * `stop-sequences.ts`.
   */
  readonly stopSequences?: readonly string[];
  readonly signal: AbortSignal;
}

/** `none`: it does not think, where that can be chosen. */
export type Effort = 'none' | 'low' | 'medium' | 'high' | 'max';

export type ModelStopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

/** The events of a provider's stream, in order. Nothing follows `end`. */
export type ModelStreamEvent =
  /** A part of the text block that is being written. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** A finished block; a text block repeats the text of its deltas. */
  | { readonly type: 'block'; readonly block: AssistantBlock }
  /**
   * Tools of the request that the model is not given, before its answer: the service refuses their definitions, or the
   * model can't use any.
   */
  | { readonly type: 'left_out'; readonly reason: 'refused' | 'no_tool_support'; readonly names: readonly string[] }
  /**
   * Files of the request that the model is not given, before its answer: the service refused them. `said`: how, for
   * people.
   */
  | {
      readonly type: 'left_out';
      readonly reason: 'refused_files';
      readonly names: readonly string[];
      readonly said: string;
    }
  /**
   * Attempt `attempt` (from 1) failed, and the request is sent again after the wait. Only before any part of the answer
   * was emitted.
   */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      /** Maximum number of retries. */
      readonly most: number;
      readonly waitMs: number;
      readonly error: ModelError;
    }
  | {
      readonly type: 'end';
      readonly stopReason: ModelStopReason;
      readonly usage: TokenUsage;
      /** Refusal category or explanation, if the provider gave one. */
      readonly detail?: string;
    };

export interface ModelLimits {
  /** Maximum tokens of input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

/** What a model accepts besides text. */
export interface ModelCapabilities {
  /** Neither its service nor a catalogue says: the others are what requests try. People are told nothing of them. */
  readonly isAssumed?: true;
  readonly tools: boolean;
  /** In messages of the user. */
  readonly images: boolean;
  readonly audio: boolean;
  readonly documents: boolean;
  /** `ToolDefinition.isDeferred` and `ToolResultBlock.foundTools` are understood. */
  readonly deferredTools: boolean;
  /** Each request defines the deferred tools too: there is nothing to gain from offering more of them at once. */
  readonly definesDeferredTools?: true;
  /** The efforts it distinguishes; empty: none. */
  readonly efforts: readonly Effort[];
}

/** A model as its service lists it. */
export interface ListedModel {
  readonly id: string;
  /** For people; absent: its id. */
  readonly name?: string;
  readonly limits?: Partial<ModelLimits>;
  readonly price?: ModelPrice;
  readonly capabilities?: Partial<ModelCapabilities>;
}

/** US dollars per million tokens. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelPrice extends TokenRates {
  /** Where the price was found, mostly the address of a page. */
  readonly source?: string;
  /** When: `2026-11-23`, or `2026-11`. */
  readonly date?: string;
  /** Rates for a whole request whose prompt, including cached parts, is longer than `overTokens`. */
  readonly longPrompt?: TokenRates & { readonly overTokens: number };
}

export interface ModelProvider {
  /** Name in the configuration: `anthropic`, `guide`, … */
  readonly name: string;
  /** True: nothing leaves this machine, and people must not mistake its answers for an AI's. */
  readonly isOffline: boolean;
  limits(model: string): ModelLimits;
  capabilities(model: string): ModelCapabilities;
  /** The models that the service offers now. Throws `ModelError`, or the signal's reason if aborted. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** `undefined`: not known; then no cost is shown. */
  price(model: string): ModelPrice | undefined;
  /** Where a user can fix a failure of its stream, best first. */
  remedies(code: ModelErrorCode): readonly Remedy[];
  /** Throws `ModelError` (or the signal's reason if aborted). Anything emitted before remains valid. */
  stream(request: ModelRequest): AsyncIterable<ModelStreamEvent>;
}

export type ModelErrorCode =
  | 'no_key'
  | 'wrong_key'
  | 'no_permission'
  | 'no_credit'
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'offline'
  | 'no_answer'
  | 'stream_broken'
  | 'answer_too_large'
  | 'context_too_long'
  | 'request_too_large'
  | 'unknown_model'
  | 'bad_request'
  | 'bad_answer';

/** A failure that a user can act on: `message` says what happened and what to do, and contains no secret. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** How long the service asked to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** The status of HTTP. */
  readonly status: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { retryAfterMs?: number | undefined; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}

/** US dollars for one request. `undefined` if the price is unknown; then no cost is shown. */
export function costUsd(usage: TokenUsage, price: ModelPrice | undefined): number | undefined {
  if (price === undefined) return undefined;
  const promptTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const isLong = price.longPrompt !== undefined && promptTokens > price.longPrompt.overTokens;
  const rates = isLong && price.longPrompt ? price.longPrompt : price;
  return (
    (usage.input * rates.input +
      usage.output * rates.output +
      usage.cacheRead * rates.cacheRead +
      usage.cacheWrite * rates.cacheWrite) /
    1_000_000
  );
}
