import type OpenAI from 'openai';
import type { AssistantBlock, MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { withAcceptedMedia } from '../accepted-media.ts';
import { withoutDeferral } from '../deferred-tools.ts';
import type { Message, ToolResultBlock, UserBlock } from '../messages.ts';
import type { ModelRequest } from '../provider.ts';
import { openAiToolResult } from '../schema-transforms/openai.ts';
import { toolsFor } from '../schema-transforms/tools-for.ts';
import type { RefusedParts } from '../transport/refused-parts.ts';
import { effortWord, type OpenAiModel } from './catalogue.ts';
import { REASONING_FIELD } from './chat-answer.ts';
import type { Dialect } from './service.ts';
import {
  acceptance,
  audioFormat,
  dataUrl,
  fileName,
  isBlank,
  promptCacheKey,
  wireCallId,
  wireToolName,
} from './wire-parts.ts';

type Chat = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type Effort = Chat['reasoning_effort'];

export interface ChatOptions {
  readonly model: OpenAiModel;
  readonly dialect: Dialect;
  readonly refused: RefusedParts;
}

/** Chat Completions take up to 4 sequences as `stop`. */
const MAX_STOPS = 4;

/**
 * Puts our neutral request into the form of Chat Completions
 * (https://developers.openai.com/api/reference/resources/chat). `tool_choice` and `parallel_tool_calls` are left to
 * their defaults, which every service has. The caller pairs tool calls and results.
 */
export function chatRequest(request: ModelRequest, options: ChatOptions): Chat {
  const { model, dialect, refused } = options;
  const without = (part: 'usage' | 'cache_key') => refused.refuses(request.model, part);
  const accepted = withAcceptedMedia(
    request.messages,
    // Only text goes into a result; the parts follow in a message of the user.
    acceptance(model.accepts, ['image', 'document']),
  );
  const tools = toolsFor('openai', withoutDeferral(request)).map((tool) => ({ ...tool }));
  const { system, maxTokens } = request;
  return {
    model: model.id,
    messages: [
      ...(isBlank(system) ? [] : [{ role: 'system', content: system } as const]),
      ...accepted.flatMap((message) => wireMessages(message, refused)),
    ],
    ...(tools.length === 0 ? {} : { tools }),
    stream: true,
    ...(without('usage') ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokens === undefined ? {} : limited(Math.min(maxTokens, model.limits.maxOutputTokens), dialect)),
    ...sampling(request, options),
    ...(dialect !== 'openai' || without('cache_key')
      ? {}
      : { prompt_cache_key: promptCacheKey(system, request.messages) }),
  };
}

/** The newer name is refused by many compatible services, the older one by OpenAI's thinking models. */
function limited(tokens: number, dialect: Dialect): Partial<Chat> {
  return dialect === 'compatible' ? { max_tokens: tokens } : { max_completion_tokens: tokens };
}

function sampling(request: ModelRequest, { model, refused }: ChatOptions): Partial<Chat> {
  const { temperature, stopSequences = [] } = request;
  const refuses = (part: 'temperature' | 'thinking') => refused.refuses(request.model, part);
  const takesTemperature = !model.reasons && temperature !== undefined && !refuses('temperature');
  // A thinking model that needs Responses takes tools here only if it is told not to think.
  const mustNotThink = model.needsResponses && request.tools.length > 0 && model.efforts.includes('none');
  const effort = mustNotThink ? 'none' : effortWord(model, request.effort);
  return {
    ...(takesTemperature ? { temperature } : {}),
    ...(effort === undefined || refuses('thinking') ? {} : { reasoning_effort: effort as Effort }),
    ...(model.reasons || stopSequences.length === 0 ? {} : { stop: stopSequences.slice(0, MAX_STOPS) }),
  };
}

function wireMessages(message: Message, refused: RefusedParts): WireMessage[] {
  return message.role === 'user' ? userMessages(message.content) : assistantMessages(message.content, refused);
}

/** Results come first, as the service requires, then what the user says, with the parts of the results. */
function userMessages(content: readonly UserBlock[]): WireMessage[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const parts: UserPart[] = [
    ...results.flatMap(partsOfResult),
    ...content.flatMap((block) => (block.type === 'tool_result' ? [] : userPart(block))),
  ];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [
    ...results.map((result) => ({
      ...openAiToolResult(isBlank(result.content) ? { ...result, content: NO_OUTPUT } : result),
      tool_call_id: wireCallId(result.toolUseId),
    })),
    // A plain text is understood by services that know no parts.
    ...(parts.length === 0
      ? []
      : [{ role: 'user', content: texts.length === parts.length ? texts.join('\n\n') : parts } as const]),
  ];
}

function partsOfResult({ toolUseId, media = [] }: ToolResultBlock): UserPart[] {
  if (media.length === 0) return [];
  const text = `[What the tool call ${wireCallId(toolUseId)} returned besides its text:]`;
  return [{ type: 'text', text }, ...media.flatMap(mediaPart)];
}

function userPart(block: Exclude<UserBlock, ToolResultBlock>): UserPart[] {
  if (block.type !== 'text') return mediaPart(block);
  return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
}

function mediaPart(media: MediaBlock): UserPart[] {
  switch (media.type) {
    case 'image':
      return [{ type: 'image_url', image_url: { url: dataUrl(media) } }];
    case 'audio': {
      const format = audioFormat(media.mediaType);
      return format === undefined ? [] : [{ type: 'input_audio', input_audio: { data: media.data, format } }];
    }
    case 'document':
      return [{ type: 'file', file: { filename: fileName(media), file_data: dataUrl(media) } }];
  }
}

/** A message with the thoughts of services that want theirs back. The field is no part of OpenAI's own format. */
type AssistantMessage = OpenAI.Chat.Completions.ChatCompletionAssistantMessageParam & {
  [REASONING_FIELD]?: string;
};

function assistantMessages(content: readonly AssistantBlock[], refused: RefusedParts): WireMessage[] {
  let text = '';
  let reasoning = '';
  const calls: OpenAI.Chat.Completions.ChatCompletionMessageToolCall[] = [];
  for (const block of content) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'thinking') {
      if (block.signature === REASONING_FIELD && !refused.refusesSignature(block.signature))
        reasoning += block.thinking;
    } else if (block.type === 'tool_use') {
      const called = { name: wireToolName(block.name), arguments: exactJson(block.input) };
      calls.push({ id: wireCallId(block.id), type: 'function', function: called });
    }
  }
  if (isBlank(text) && calls.length === 0) return [];
  const message: AssistantMessage = {
    role: 'assistant',
    content: isBlank(text) ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reasoning === '' ? {} : { [REASONING_FIELD]: reasoning }),
  };
  return [message];
}
