import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock, MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { withAcceptedMedia } from '../accepted-media.ts';
import { withoutDeferral } from '../deferred-tools.ts';
import type { Message, UserBlock } from '../messages.ts';
import type { Effort, ModelRequest } from '../provider.ts';
import { anthropicMediaPart, anthropicToolResult } from '../schema-transforms/anthropic.ts';
import { toolsFor } from '../schema-transforms/tools-for.ts';
import { withIntegersAsText } from '../transport/integers-as-text.ts';
import { type AnthropicModel, anthropicModel } from './catalogue.ts';
import { withKnownReferences } from './deferred-tools.ts';

/**
 * Puts our neutral request into the form of the Messages API (https://platform.claude.com/docs/en/api/messages). The
 * caller pairs tool calls and results; this file handles all other requirements of the API.
 */
export interface RequestBodyOptions {
  /** Signatures of thinking blocks that the API refused in this history; those blocks are left out. */
  readonly refusedThinking: ReadonlySet<string>;
  /** The server rejects the `thinking` parameter, so it is left out. */
  readonly withoutThinkingParameter: boolean;
  /**
   * The server rejects deferred tools. Those that were found are sent like any other tool, and the rest is left out.
   */
  readonly withoutDeferral: boolean;
}

/** Enough for any answer in a conversation, and far below what a runaway answer could cost at a model's maximum. */
const DEFAULT_MAX_TOKENS = 32_000;

type BlockParam = Anthropic.ContentBlockParam;

interface MessageDraft {
  readonly role: 'user' | 'assistant';
  readonly content: BlockParam[];
}

export function requestBody(
  request: ModelRequest,
  options: RequestBodyOptions,
): Anthropic.MessageCreateParamsStreaming {
  const model = anthropicModel(request.model);
  const { stopSequences = [] } = request;
  const accepted = withAcceptedMedia(request.messages, { inMessage: isAccepted, inResult: isAccepted });
  const offered = options.withoutDeferral ? withoutDeferral(request) : request.tools;
  const deferred = new Set(offered.flatMap(({ name, isDeferred }) => (isDeferred === true ? [name] : [])));
  const messages = messageDrafts(withKnownReferences(accepted, deferred), options.refusedThinking);
  markForCaching(messages);
  const system = request.system.trim() === '' ? undefined : request.system;
  const tools: Anthropic.Tool[] = toolsFor('anthropic', offered).map((tool) => ({
    ...tool,
    ...(deferred.has(tool.name) ? { defer_loading: true } : {}),
  }));
  // If there is no system prompt, the breakpoint that covers the tools has to be on the last of them. Deferred tools
  // are not in the prompt, so they don't count.
  const lastTool = tools.findLast(({ defer_loading }) => defer_loading !== true);
  if (system === undefined && lastTool) lastTool.cache_control = EPHEMERAL;
  return {
    model: model.id,
    max_tokens: Math.max(1, Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, model.limits.maxOutputTokens)),
    ...(system === undefined ? {} : { system: [{ type: 'text', text: system, cache_control: EPHEMERAL }] }),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
    ...thinking(model, options),
    ...effort(model, request.effort, options),
    ...(stopSequences.length === 0 ? {} : { stop_sequences: [...stopSequences] }),
    stream: true,
  };
}

const EPHEMERAL: Anthropic.CacheControlEphemeral = { type: 'ephemeral' };

/** Newer models think by default but return a summary only when asked for it. */
function thinking(model: AnthropicModel, { withoutThinkingParameter }: RequestBodyOptions) {
  if (withoutThinkingParameter || model.thinking !== 'adaptive') return {};
  return { thinking: { type: 'adaptive', display: 'summarized' } as const };
}

/**
 * Source: https://platform.claude.com/docs/en/build-with-claude/effort. The API has had no temperature since its
 * version 2026-10-21.
 */
function effort(model: AnthropicModel, wanted: Effort | undefined, { withoutThinkingParameter }: RequestBodyOptions) {
  if (withoutThinkingParameter || wanted === undefined || wanted === 'none' || model.thinking !== 'adaptive') return {};
  return { output_config: { effort: wanted } };
}

/** Adjacent messages of one role become one; blocks and messages without content are removed. */
function messageDrafts(messages: readonly Message[], refusedThinking: ReadonlySet<string>): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  for (const message of messages) {
    const content =
      message.role === 'user'
        ? message.content.flatMap(userBlock)
        : message.content.flatMap((block) => assistantBlock(block, refusedThinking));
    if (content.length === 0) continue;
    const last = drafts.at(-1);
    if (last?.role === message.role) last.content.push(...content);
    else drafts.push({ role: message.role, content });
  }
  for (const draft of drafts) if (draft.role === 'user') resultsFirst(draft.content);
  trimFinalAssistantText(drafts.at(-1));
  return drafts;
}

function userBlock(block: UserBlock): BlockParam[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
    case 'tool_result':
      return [anthropicToolResult(isBlank(block.content) ? { ...block, content: NO_OUTPUT } : block)];
    default: {
      const part = anthropicMediaPart(block);
      return part === undefined ? [] : [part];
    }
  }
}

function assistantBlock(block: AssistantBlock, refusedThinking: ReadonlySet<string>): BlockParam[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      // A block has no signature if the answer was cut off. The API can't verify such a block and rejects it.
      if (block.signature === '' || refusedThinking.has(block.signature)) return [];
      return [{ type: 'thinking', thinking: block.thinking, signature: block.signature }];
    case 'redacted_thinking':
      if (block.data === '' || refusedThinking.has(block.data)) return [];
      return [{ type: 'redacted_thinking', data: block.data }];
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: withIntegersAsText(block.input) }];
  }
}

/** The API requires tool results before anything else in a user message. */
function resultsFirst(content: BlockParam[]): void {
  content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
}

/**
 * The API answers `final assistant content cannot end with trailing whitespace`. This concerns only a request whose
 * last message is an answer to be continued.
 */
function trimFinalAssistantText(draft: MessageDraft | undefined): void {
  const block = draft?.role === 'assistant' ? draft.content.at(-1) : undefined;
  if (block?.type === 'text') block.text = block.text.trimEnd();
}

/**
 * Sets the cache breakpoints: the system prompt (which covers the tools before it), the last block, and the previous
 * user message. The API looks back only 20 blocks from a breakpoint for an earlier entry, and one round of tool calls
 * can hold more.
 */
function markForCaching(drafts: readonly MessageDraft[]): void {
  const last = drafts.at(-1);
  if (last === undefined) return;
  markLastBlock(last);
  const previousUser = drafts.slice(0, -1).findLast((draft) => draft.role === 'user');
  if (previousUser) markLastBlock(previousUser);
}

function markLastBlock({ content }: MessageDraft): void {
  const block = content.findLast(isCacheable);
  if (block) block.cache_control = EPHEMERAL;
}

type CacheableBlock =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.DocumentBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam;

const CACHEABLE: ReadonlySet<string> = new Set<CacheableBlock['type']>([
  ...(['text', 'image', 'document', 'tool_use', 'tool_result'] as const),
]);

function isCacheable(block: BlockParam): block is CacheableBlock {
  return CACHEABLE.has(block.type);
}

function isAccepted(media: MediaBlock): boolean {
  return anthropicMediaPart(media) !== undefined;
}

/** The API refuses blank text, not only empty text. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}
