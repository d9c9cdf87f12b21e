import type {
  GenerateContentConfig,
  GenerateContentParameters,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai/web';
import type { Effort, ModelRequest } from '../provider.ts';
import { toolsFor } from '../schema-transforms/tools-for.ts';
import type { RefusedParts } from '../transport/refused-parts.ts';
import type { GeminiModel, Thinking, ThinkingLevelName } from './catalogue.ts';
import { geminiContents } from './contents.ts';

export interface ParameterOptions {
  readonly model: GeminiModel;
  readonly refused: RefusedParts;
}

/** Enough for any answer in a conversation, thoughts included: the service counts them. */
const DEFAULT_MAX_TOKENS = 65_536;
/** `The maximum number of stop sequences is 5`. */
const MAX_STOP_SEQUENCES = 5;

/** Our neutral request in the form of generateContent (https://ai.google.dev/api/generate-content). */
export function requestParameters(request: ModelRequest, options: ParameterOptions): GenerateContentParameters {
  const { model, refused } = options;
  const { stopSequences = [], temperature, signal } = request;
  const tools = toolsFor('gemini', request.tools);
  const thinking = refused.refuses(request.model, 'thinking')
    ? undefined
    : thinkingConfig(model.thinking, request.effort);
  const config: GenerateContentConfig = {
    abortSignal: signal,
    ...(request.system.trim() === '' ? {} : { systemInstruction: request.system }),
    maxOutputTokens: Math.max(1, Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, model.limits.maxOutputTokens)),
    ...(temperature === undefined || !model.hasTemperature ? {} : { temperature }),
    ...(stopSequences.length === 0 ? {} : { stopSequences: stopSequences.slice(0, MAX_STOP_SEQUENCES) }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    // The SDK would call tools itself, and would continue an answer that was cut off without telling us.
    automaticFunctionCalling: { disable: true },
    automaticContinuation: false,
  };
  // Its types want members of an enumeration that only the loaded SDK has; it takes their names just as well.
  if (tools.length > 0) Object.assign(config, { tools });
  return { model: model.id, contents: geminiContents(request.messages, options), config };
}

/** Thoughts are summarised for people in any case. `undefined`: the model has no such choice. */
function thinkingConfig(thinking: Thinking, effort: Effort | undefined): ThinkingConfig | undefined {
  switch (thinking.by) {
    case 'none':
      return undefined;
    case 'budget': {
      if (effort === undefined) return { includeThoughts: true };
      const thinkingBudget = Math.max(thinking.least, Math.min(BUDGETS[effort], thinking.most));
      return thinkingBudget === 0 ? { thinkingBudget } : { includeThoughts: true, thinkingBudget };
    }
    case 'levels': {
      if (effort === undefined) return { includeThoughts: true };
      const level = thinking.levels.includes(LEVELS[effort]) ? LEVELS[effort] : 'LOW';
      return { includeThoughts: true, thinkingLevel: level as ThinkingLevel };
    }
  }
}

const BUDGETS: Readonly<Record<Effort, number>> = { none: 0, low: 1_024, medium: 8_192, high: 24_576, max: 32_768 };
const LEVELS: Readonly<Record<Effort, ThinkingLevelName>> = {
  none: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  max: 'HIGH',
};
