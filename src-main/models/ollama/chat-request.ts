import type { ModelRequest } from '../provider.ts';
import type { OpenAiTool } from '../schema-transforms/openai.ts';
import { toWholeTool } from '../schema-transforms/openai.ts';
import { type ChatMessage, chatMessages } from './chat-messages.ts';
import { contextTokensOf, type ModelFacts } from './model-facts.ts';

/** Source: https://docs.ollama.com/api/chat */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly OpenAiTool[];
  readonly think?: boolean | 'low' | 'medium' | 'high';
  readonly options: Readonly<Record<string, unknown>>;
  readonly stream: true;
  /**
   * Makes a conversation that is too long an error, instead of losing its beginning. Older versions don't know these
   * fields.
   */
  readonly truncate: false;
  readonly shift: false;
}

export interface ChatRequestOptions {
  readonly facts: ModelFacts;
  /** The value of `providers.NAME.contextTokens` in config.json. */
  readonly contextTokens: number | undefined;
  readonly hasTools: boolean;
  readonly canThink: boolean;
}

export function chatRequest(request: ModelRequest, options: ChatRequestOptions): ChatRequest {
  const { model, system, messages, maxTokens, temperature, stopSequences = [] } = request;
  const { facts, hasTools, canThink } = options;
  const tools = hasTools ? request.tools.map(toWholeTool) : [];
  // A version that does not say what its models can see gets the pictures: it has to know itself.
  const hasImages = facts.capabilities?.has('vision') ?? true;
  return {
    model,
    messages: chatMessages(system, messages, { hasImages, hasTools }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(canThink ? { think: thinkValue(request, facts) } : {}),
    options: {
      num_ctx: contextTokensOf(facts, options.contextTokens),
      ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences.length === 0 ? {} : { stop: stopSequences }),
    },
    stream: true,
    truncate: false,
    shift: false,
  };
}

/** gpt-oss can't be kept from thinking, and is told how much; other models either think or don't. */
function thinkValue({ effort }: ModelRequest, { family }: ModelFacts): boolean | 'low' | 'medium' | 'high' {
  if (family !== 'gptoss') return effort !== 'none';
  if (effort === 'none' || effort === 'low') return 'low';
  return effort === 'high' || effort === 'max' ? 'high' : 'medium';
}
