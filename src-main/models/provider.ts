import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../src-preload/contract/events.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { Message } from './messages.ts';

/**
 * A tool as a provider offers it to its model. The name is in wire form, the description is never empty, and the root
 * type is "object".
 */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Whether the tool is known to the service, but loaded for the model only once `find_tools` has found it. Only set if
   * `capabilities` says `deferredTools`.
   */
  readonly isDeferred?: true;
  /** What an empty result means, in words for the user: `the file is empty.`; it is never sent to a model. */
  readonly nothing?: string;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Valid pairing is the caller's duty: every tool_use is answered in the next user message. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The most tokens of the answer. By default it is the model's own maximum, within reason. */
  readonly maxTokens?: number;
  /** From 0 to 2. Without it, the service uses its own. It is not sent to a model that does not accept it. */
  readonly temperature?: number;
  /**
   * How much the model thinks before it answers; by default as the service decides. It is not sent to a model without a
   * choice.
   */
  readonly effort?: Effort;
  /**
   * Texts at which the model stops; none is blank. Some services take few or none, so the caller cuts the answer: see
   * `stop-sequences.ts`.
   */
  readonly stopSequences?: readonly string[];
  readonly signal: AbortSignal;
}

/** With `none` the model does not think, if that can be chosen. */
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
   * Emitted before the answer: tools of the request that the model is not given, because the service refuses their
   * definitions or the model can't use any.
   */
  | { readonly type: 'left_out'; readonly reason: 'refused' | 'no_tool_support'; readonly names: readonly string[] }
  /**
   * Emitted before the answer: files of the request that the model is not given, because the service refused them.
   * `said` is how it refused them, in words for the user.
   */
  | {
      readonly type: 'left_out';
      readonly reason: 'refused_files';
      readonly names: readonly string[];
      readonly said: string;
    }
  /**
   * Attempt `attempt` (from 1) failed, and the request is sent again after the wait. This comes only before any part of
   * the answer was emitted.
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
      /** The category or explanation of a refusal, if the provider gave one. */
      readonly detail?: string;
    };

export interface ModelLimits {
  /** Maximum tokens of input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

/** What a model accepts besides text. */
export interface ModelCapabilities {
  /**
   * Neither the service nor a catalogue says what the model accepts: the others are what requests try. The user is told
   * nothing of them.
   */
  readonly isAssumed?: true;
  readonly tools: boolean;
  /** Whether messages of the user may hold pictures. */
  readonly images: boolean;
  readonly audio: boolean;
  readonly documents: boolean;
  /** `ToolDefinition.isDeferred` and `ToolResultBlock.foundTools` are understood. */
  readonly deferredTools: boolean;
  /** Each request defines the deferred tools too: there is nothing to gain from offering more of them at once. */
  readonly definesDeferredTools?: true;
  /** The efforts that the model distinguishes; empty if it has no choice. */
  readonly efforts: readonly Effort[];
}

/** A model as its service lists it. */
export interface ListedModel {
  readonly id: string;
  /** The name for the user; the id is shown if it is absent. */
  readonly name?: string;
  readonly limits?: Partial<ModelLimits>;
  readonly price?: ModelPrice;
  readonly capabilities?: Partial<ModelCapabilities>;
}

/** Prices in US dollars per million tokens. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelPrice extends TokenRates {
  /** The place where the price was found, mostly the address of a page. */
  readonly source?: string;
  /** The day or month in which the price was found: `2026-11-23`, or `2026-11`. */
  readonly date?: string;
  /** Rates for a whole request whose prompt, including cached parts, is longer than `overTokens`. */
  readonly longPrompt?: TokenRates & { readonly overTokens: number };
}

export interface ModelProvider {
  /** The name in the configuration, such as `anthropic` or `guide`. */
  readonly name: string;
  /** True if nothing leaves this machine, and the user must not mistake its answers for an AI's. */
  readonly isOffline: boolean;
  limits(model: string): ModelLimits;
  capabilities(model: string): ModelCapabilities;
  /** The models that the service offers now. Throws `ModelError`, or the signal's reason if aborted. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Returns `undefined` if the price is not known; then no cost is shown. */
  price(model: string): ModelPrice | undefined;
  /** Returns the places where a user can fix a failure of the provider's stream, best first. */
  remedies(code: ModelErrorCode): readonly Remedy[];
  /** Throws `ModelError` (or the signal's reason if aborted). Anything emitted before that remains valid. */
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
  /** How long the service asked to wait, in milliseconds, if it did. */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status of the answer. */
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

/** Returns the cost of one request in US dollars, or `undefined` if the price is unknown; then no cost is shown. */
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
