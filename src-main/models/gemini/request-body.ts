import type { Effort, ModelRequest } from '../provider.ts';
import type { GeminiFunction } from '../schema-transforms/gemini.ts';
import type { GeminiSchema } from '../schema-transforms/gemini-cleaner.ts';
import { rememberedBySource } from '../schema-transforms/remembered.ts';
import { toolsFor } from '../schema-transforms/tools-for.ts';
import type { RefusedParts } from '../transport/refused-parts.ts';
import type { GeminiModel, Thinking, ThinkingLevelName } from './catalogue.ts';
import { type Content, geminiContents } from './contents.ts';

export interface BodyOptions {
  readonly model: GeminiModel;
  readonly refused: RefusedParts;
}

/** Enough for any answer in a conversation, including the thoughts, which the service counts as well. */
const DEFAULT_MAX_TOKENS = 65_536;
/** The service answers `The maximum number of stop sequences is 5`. */
const MAX_STOP_SEQUENCES = 5;

/** Source: https://ai.google.dev/api/generate-content */
export interface GenerateContentBody {
  readonly contents: readonly Content[];
  readonly systemInstruction?: Content;
  readonly tools?: readonly { readonly functionDeclarations: readonly object[] }[];
  readonly generationConfig: {
    readonly temperature?: number;
    readonly maxOutputTokens: number;
    readonly stopSequences?: readonly string[];
    readonly thinkingConfig?: ThinkingConfig;
  };
}

interface ThinkingConfig {
  readonly includeThoughts?: boolean;
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: ThinkingLevelName;
}

/** Puts our neutral request into the form of generateContent. */
export function requestBody(request: ModelRequest, options: BodyOptions): GenerateContentBody {
  const { model, refused } = options;
  const { stopSequences = [], system, temperature } = request;
  const tools = toolsFor('gemini', request.tools).map(({ functionDeclarations }) => ({
    functionDeclarations: functionDeclarations.map(declaration),
  }));
  const thinking = refused.refuses(request.model, 'thinking')
    ? undefined
    : thinkingConfig(model.thinking, request.effort);
  return {
    contents: geminiContents(request.messages, options),
    ...(system.trim() === '' ? {} : { systemInstruction: { parts: [{ text: system }], role: 'user' } }),
    ...(tools.length === 0 ? {} : { tools }),
    generationConfig: {
      ...(temperature === undefined || !model.hasTemperature ? {} : { temperature }),
      maxOutputTokens: Math.max(1, Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, model.limits.maxOutputTokens)),
      ...(stopSequences.length === 0 ? {} : { stopSequences: stopSequences.slice(0, MAX_STOP_SEQUENCES) }),
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    },
  };
}

function declaration({ parameters, ...described }: GeminiFunction): object {
  return parameters === undefined ? described : { ...described, parameters: rememberedWireSchema(parameters) };
}

const rememberedWireSchema = rememberedBySource(wireSchema);

/** The service names types in capitals. Source: https://ai.google.dev/api/caching#Type */
function wireSchema(schema: GeminiSchema): object {
  const { type, items, properties = {}, anyOf } = schema;
  const wired = {
    type: type?.toUpperCase(),
    items: items && wireSchema(items),
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, wireSchema(each)])),
    anyOf: anyOf?.map(wireSchema),
  };
  return Object.fromEntries(Object.entries({ ...schema, ...wired }).filter(([key]) => Object.hasOwn(schema, key)));
}

/**
 * Asks for summaries of thoughts in any case, because the user sees them. Returns `undefined` if the model has no such
 * choice.
 */
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
      return { includeThoughts: true, thinkingLevel: level };
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
