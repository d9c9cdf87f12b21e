import type OpenAI from 'openai';
import type { AssistantBlock, MediaBlock, ToolUseBlock } from '../../../src-preload/contract/content-blocks.ts';
import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { FIND_TOOLS } from '../../../src-preload/contract/find-tools.ts';
import { withAcceptedMedia } from '../accepted-media.ts';
import { withoutDeferral } from '../deferred-tools.ts';

import type { Message, ToolResultBlock, UserBlock } from '../messages.ts';
import type { ModelRequest } from '../provider.ts';
import type { OpenAiTool } from '../schema-transforms/openai.ts';
import { toolsFor } from '../schema-transforms/tools-for.ts';
import { type JsonRecord, list, record, text } from '../transport/answer-fields.ts';
import type { RefusedPart, RefusedParts } from '../transport/refused-parts.ts';
import { effortWord, type OpenAiModel } from './catalogue.ts';
import { signatureFields } from './response-items.ts';
import type { Dialect } from './service.ts';
import { acceptance, dataUrl, fileName, isBlank, promptCacheKey, wireCallId, wireToolName } from './wire-parts.ts';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;
type Part =
  | OpenAI.Responses.ResponseInputText
  | OpenAI.Responses.ResponseInputImage
  | OpenAI.Responses.ResponseInputFile;

export interface ResponsesOptions {
  readonly model: OpenAiModel;
  readonly dialect: Dialect;
  readonly refused: RefusedParts;
}

/**
 * Puts our neutral request into the form of the Responses API
 * (https://developers.openai.com/api/reference/resources/responses). Nothing is stored at the service: the whole
 * history goes with each request, and thoughts in encrypted form. The caller pairs tool calls and results.
 */
export function responsesRequest(request: ModelRequest, options: ResponsesOptions): Body {
  const { model, dialect, refused } = options;
  const without = (part: RefusedPart) => refused.refuses(request.model, part);
  const inResult = acceptance(model.accepts, ['image', 'document']);
  const accepted = withAcceptedMedia(request.messages, inResult);
  const { system, maxTokens, temperature } = request;
  const tools = new OfferedTools(request, model.accepts.deferredTools && !without('deferral'));
  return {
    model: model.id,
    ...(isBlank(system) ? {} : { instructions: system }),
    input: inputItems(accepted, tools, refused),
    ...(tools.declared.length === 0 ? {} : { tools: tools.declared }),
    store: false,
    stream: true,
    ...(without('thinking') ? {} : reasoning(request, model, without('summary'))),
    ...(maxTokens === undefined
      ? {}
      : { max_output_tokens: Math.max(16, Math.min(maxTokens, model.limits.maxOutputTokens)) }),
    ...(model.reasons || temperature === undefined || without('temperature') ? {} : { temperature }),
    ...(dialect !== 'openai' || without('cache_key')
      ? {}
      : { prompt_cache_key: promptCacheKey(system, request.messages) }),
  };
}

function reasoning(request: ModelRequest, model: OpenAiModel, withoutSummary: boolean): Partial<Body> {
  const effort = effortWord(model, request.effort);
  const summary = !model.reasons || withoutSummary || effort === 'none' ? {} : { summary: 'auto' as const };
  const wanted = { ...(effort === undefined ? {} : { effort: effort as OpenAI.ReasoningEffort }), ...summary };
  return {
    ...(model.reasons ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(Object.keys(wanted).length === 0 ? {} : { reasoning: wanted }),
  };
}

/**
 * Offers `find_tools` over deferred tools as the service's own tool search, executed by us: what it found is declared
 * in its output, at the end of the context, so that the cached beginning survives
 * (https://developers.openai.com/api/docs/guides/tools-tool-search).
 */
class OfferedTools {
  readonly declared: OpenAI.Responses.Tool[];
  readonly #deferred: ReadonlyMap<string, OpenAI.Responses.FunctionTool>;
  readonly #searches: boolean;

  /** `canSearch` says that the service knows its tool search, and has not refused it. */
  constructor(request: ModelRequest, canSearch: boolean) {
    const { tools } = request;
    const deferred = tools.filter(({ isDeferred }) => isDeferred === true);
    this.#searches = canSearch && deferred.length > 0 && tools.some(({ name }) => name === FIND_TOOLS);
    const declared = this.#searches ? tools.filter(({ isDeferred }) => isDeferred !== true) : withoutDeferral(request);
    this.declared = toolsFor('openai', declared).map((tool) => this.#declaration(tool));
    const found = toolsFor('openai', this.#searches ? deferred : []).map(functionTool);
    this.#deferred = new Map(found.map((tool) => [tool.name, { ...tool, defer_loading: true }]));
  }

  isSearch(name: string): boolean {
    return this.#searches && name === FIND_TOOLS;
  }

  /**
   * Returns those of the named tools that are still deferred; others are declared from the beginning, or no longer
   * there.
   */
  found(names: readonly string[]): OpenAI.Responses.FunctionTool[] {
    return names.flatMap((name) => this.#deferred.get(name) ?? []);
  }

  #declaration(tool: OpenAiTool): OpenAI.Responses.Tool {
    const { name, description, parameters } = tool.function;
    return this.isSearch(name)
      ? { type: 'tool_search', execution: 'client', description, parameters }
      : functionTool(tool);
  }
}

/** Unlike Chat Completions, this API takes each schema as strict unless it says `strict: false`. */
function functionTool({ function: { name, description, parameters } }: OpenAiTool): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters, strict: false };
}

function inputItems(messages: readonly Message[], tools: OfferedTools, refused: RefusedParts): Item[] {
  const searches = new Set<string>();
  return messages.flatMap((message) => {
    if (message.role === 'user') return userItems(message.content, tools, searches);
    for (const block of message.content) {
      if (block.type === 'tool_use' && tools.isSearch(block.name)) searches.add(block.id);
    }
    return message.content.flatMap((block) => assistantItem(block, searches, refused));
  });
}

function userItems(content: readonly UserBlock[], tools: OfferedTools, searches: ReadonlySet<string>): Item[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const parts = content.flatMap((block) => (block.type === 'tool_result' ? [] : userPart(block)));
  return [
    ...results.map((result) => (searches.has(result.toolUseId) ? searchOutput(result, tools) : callOutput(result))),
    ...(parts.length === 0 ? [] : [{ role: 'user', content: parts } as const]),
  ];
}

function callOutput(result: ToolResultBlock): Item {
  const content = isBlank(result.content) ? NO_OUTPUT : result.content;
  const parts = (result.media ?? []).flatMap(mediaPart);
  const output = parts.length === 0 ? content : [{ type: 'input_text', text: content } as const, ...parts];
  return { type: 'function_call_output', call_id: wireCallId(result.toolUseId), output };
}

/** The output of a search has no room for a text, so a failed search is one that found nothing. */
function searchOutput({ toolUseId, foundTools = [] }: ToolResultBlock, tools: OfferedTools): Item {
  const found = tools.found(foundTools);
  return {
    type: 'tool_search_output',
    call_id: wireCallId(toolUseId),
    execution: 'client',
    status: 'completed',
    tools: found,
  };
}

function userPart(block: Exclude<UserBlock, ToolResultBlock>): Part[] {
  if (block.type !== 'text') return mediaPart(block);
  return isBlank(block.text) ? [] : [{ type: 'input_text', text: block.text }];
}

function mediaPart(media: MediaBlock): Part[] {
  if (media.type === 'image') return [{ type: 'input_image', image_url: dataUrl(media), detail: 'auto' }];
  if (media.type === 'document') return [{ type: 'input_file', filename: fileName(media), file_data: dataUrl(media) }];
  return [];
}

function assistantItem(block: AssistantBlock, searches: ReadonlySet<string>, refused: RefusedParts): Item[] {
  switch (block.type) {
    case 'text': {
      if (isBlank(block.text)) return [];
      const phase = text(kept(block.signature, refused)?.phase);
      const known = phase === 'commentary' || phase === 'final_answer' ? ({ phase } as const) : {};
      return [{ type: 'message', role: 'assistant', content: block.text, ...known }];
    }
    case 'thinking': {
      const item = kept(block.signature, refused);
      return item?.type === 'reasoning' ? [reasoningItem(item)] : [];
    }
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return [searches.has(block.id) ? searchCall(block) : functionCall(block, refused)];
  }
}

function searchCall({ id, input }: ToolUseBlock): Item {
  return {
    type: 'tool_search_call',
    call_id: wireCallId(id),
    execution: 'client',
    status: 'completed',
    arguments: input,
  };
}

function functionCall({ id, name, input, signature }: ToolUseBlock, refused: RefusedParts): Item {
  const namespace = text(kept(signature, refused)?.namespace);
  return {
    type: 'function_call',
    call_id: wireCallId(id),
    name: wireToolName(name),
    arguments: exactJson(input),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The item goes back as the model made it: the service checks the encrypted content, and reads it again. */
function reasoningItem(item: JsonRecord): Item {
  const summary = list(item.summary).map((part) => ({
    type: 'summary_text' as const,
    text: text(record(part).text) ?? '',
  }));
  return {
    type: 'reasoning',
    id: text(item.id) ?? '',
    summary,
    encrypted_content: text(item.encrypted_content) ?? '',
  };
}

/** The fields of a signature that the service has not refused. */
function kept(signature: string | undefined, refused: RefusedParts): JsonRecord | undefined {
  return signature === undefined || refused.refusesSignature(signature) ? undefined : signatureFields(signature);
}
