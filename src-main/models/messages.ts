import type { AssistantBlock, MediaBlock, TextBlock } from '../../src-preload/contract/content-blocks.ts';

/**
 * The input of a model, independent of the provider. Its shapes follow the Anthropic Messages API
 * (https://platform.claude.com/docs/en/api/messages) because it is the richest; other providers map onto them.
 */

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  /** The result's text, which is capped and never empty. */
  readonly content: string;
  readonly isError: boolean;
  /** Parts of the result besides `content`, which names each. A provider sends those that its service accepts. */
  readonly media?: readonly MediaBlock[];
  /**
   * Wire names of the tools that a call of `find_tools` found. A service that loads deferred tools itself is told
   * these; others ignore them.
   */
  readonly foundTools?: readonly string[];
  /** The tool returned nothing; `content` says so. */
  readonly isEmpty?: true;
}

/** A model that does not accept a media part is given a text in its place. */
export type UserBlock = TextBlock | MediaBlock | ToolResultBlock;

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserBlock[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

/** One entry of the history given to a model. */
export type Message = UserMessage | AssistantMessage;
