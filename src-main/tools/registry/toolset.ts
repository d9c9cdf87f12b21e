import type { Mark } from '../../../src-preload/contract/events.ts';
import type { CallWords } from '../../../src-preload/contract/tool-words.ts';
import type { Tool, ToolInput } from '../contract.ts';
import type { ToolUse } from './choose-offered.ts';
import type { Preparation } from './prepared-call.ts';
import type { OfferedTool, UnavailableTool } from './registry.ts';

/**
 * What the next request contains. The order of all tools together never changes within a conversation, so that the
 * prompt cache holds.
 */
export interface ToolOffer {
  readonly tools: readonly OfferedTool[];
  /**
   * These are in the request too, but loaded for the model only once `find_tools` has found them. Empty unless
   * `canDefer`.
   */
  readonly deferred: readonly OfferedTool[];
  /** These are not in the request. `find_tools` reaches them. */
  readonly leftOut: readonly OfferedTool[];
}

export interface OfferOptions {
  /** What the conversation called and found, the latest last; names in any form. */
  readonly uses: readonly ToolUse[];
  /** The service loads deferred tools itself. */
  readonly canDefer: boolean;
  /** What `fill` chose for this conversation. Without this, only what is always offered and what was used counts. */
  readonly filled?: readonly string[];
}

/** What the choice of `Toolset.fill` depends on. */
export interface FillingFor extends Pick<OfferOptions, 'uses'> {
  /** The first of the conversation. */
  readonly message: string;
}

/** What `find_tools` tells a model of a tool; name in wire form. */
export type FoundTool = Pick<OfferedTool, 'name' | 'description' | 'marks'>;

/** A text for the system prompt. */
export interface PromptText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** What a client brought, switched on or not: a tool or a skill. */
export interface BroughtTool extends Pick<Tool, 'name' | 'description' | 'access'> {
  /** What the client calls itself. */
  readonly client: string;
  readonly group: string;
}

/** The tools of one conversation: those of the registry, its client's, and what it opened, hid and found of them. */
export interface Toolset {
  /** Finds a tool by registered name, wire name or alias, whatever its case. */
  get(name: string): Tool | undefined;
  /** A tool of this name that would be registered if its requirements were met. */
  missing(name: string): UnavailableTool | undefined;
  isEnabled(tool: Tool): boolean;
  /** The tools that are not the registry's, group by group. */
  brought(): readonly BroughtTool[];
  /** See `ToolRegistry.asksModel`. */
  asksModel(tool: Tool): boolean;
  words(name: string, input: ToolInput): CallWords;
  /** Looks the tool up, validates the input and has the tool parse it. Never throws. */
  prepare(name: string, input: unknown): Preparation;
  /** Called before each request: what earlier calls changed takes effect. */
  offer(options: OfferOptions): ToolOffer;
  /**
   * The names, in wire form, of tools that are offered in addition to those that always are, if a request has no room
   * for all of them. Empty if it has. They are asked for once in a conversation, and given to `offer` from then on.
   */
  fill(options: FillingFor): Promise<readonly string[]>;
  /** The tools that fit a query best, best first; see `ToolFinder`. */
  find(query: string, count: number): Promise<readonly FoundTool[]>;
  /** Texts for the system prompt, in order. */
  prompts(): readonly PromptText[];
  turnEnded(): void;
}
