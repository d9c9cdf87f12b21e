import type { ModelCapabilities, ModelLimits, ModelPrice } from '../provider.ts';

/**
 * With `adaptive` the model decides how much to think, and the request may ask for it. With `none` the model has only a
 * fixed thinking budget (4.5 and earlier), or is unknown; the request then doesn't mention thinking.
 */
export type ThinkingMode = 'adaptive' | 'none';

export interface AnthropicModel {
  readonly id: string;
  readonly limits: ModelLimits;
  readonly price: ModelPrice | undefined;
  readonly thinking: ThinkingMode;
}

/**
 * The current Claude models. The ids are from the `Model` union of `@anthropic-ai/sdk` 1.12. The figures are, as of
 * November 2026, from the model overview pages (https://platform.claude.com/docs/en/models/…/overview), the pricing
 * page (https://platform.claude.com/docs/en/about-claude/pricing; cache writes are those of the 5-minute cache) and
 * https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting. No price is given if those pages have
 * none.
 */
const MILLION = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };
const SMALL = { contextTokens: 200_000, maxOutputTokens: 64_000 };

const PRICED = { source: 'https://platform.claude.com/docs/en/about-claude/pricing', date: '2026-11' };
const FABLE_5_1 = { ...PRICED, input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 };
const FABLE_5 = { ...PRICED, input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 };
const OPUS_5_5 = { ...PRICED, input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 };
const OPUS_4_5_TO_5 = { ...PRICED, input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const SONNET_5_5 = { ...PRICED, input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };
const SONNET_5 = { ...PRICED, input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
const SONNET_4 = { ...PRICED, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const HAIKU_4_5 = { ...PRICED, input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
const HAIKU_5_5 = {
  ...PRICED,
  input: 0.1,
  output: 0.5,
  cacheRead: 0.01,
  cacheWrite: 0.125,
  longPrompt: { overTokens: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
};

export const ANTHROPIC_MODELS: readonly AnthropicModel[] = [
  { id: 'claude-fable-5-2', limits: MILLION, price: undefined, thinking: 'adaptive' },
  { id: 'claude-mythos-5-2', limits: MILLION, price: undefined, thinking: 'adaptive' },
  { id: 'claude-fable-5-1', limits: MILLION, price: FABLE_5_1, thinking: 'adaptive' },
  { id: 'claude-mythos-5-1', limits: MILLION, price: FABLE_5_1, thinking: 'adaptive' },
  { id: 'claude-fable-5', limits: MILLION, price: FABLE_5, thinking: 'adaptive' },
  { id: 'claude-mythos-5', limits: MILLION, price: FABLE_5, thinking: 'adaptive' },
  { id: 'claude-opus-5-5', limits: MILLION, price: OPUS_5_5, thinking: 'adaptive' },
  { id: 'claude-opus-5', limits: MILLION, price: OPUS_4_5_TO_5, thinking: 'adaptive' },
  { id: 'claude-opus-4-8', limits: MILLION, price: OPUS_4_5_TO_5, thinking: 'adaptive' },
  { id: 'claude-opus-4-7', limits: MILLION, price: OPUS_4_5_TO_5, thinking: 'adaptive' },
  { id: 'claude-opus-4-6', limits: MILLION, price: OPUS_4_5_TO_5, thinking: 'adaptive' },
  { id: 'claude-opus-4-5', limits: SMALL, price: OPUS_4_5_TO_5, thinking: 'none' },
  { id: 'claude-sonnet-5-5', limits: MILLION, price: SONNET_5_5, thinking: 'adaptive' },
  { id: 'claude-sonnet-5', limits: MILLION, price: SONNET_5, thinking: 'adaptive' },
  { id: 'claude-sonnet-4-6', limits: MILLION, price: SONNET_4, thinking: 'adaptive' },
  { id: 'claude-sonnet-4-5', limits: SMALL, price: SONNET_4, thinking: 'none' },
  { id: 'claude-haiku-5-5', limits: MILLION, price: HAIKU_5_5, thinking: 'adaptive' },
  { id: 'claude-haiku-4-5', limits: SMALL, price: HAIKU_4_5, thinking: 'none' },
];

/** Used when a key is set and no model is chosen: a good balance of speed, capability and price. */
export const DEFAULT_ANTHROPIC_MODEL = 'claude-sonnet-5-5';

const LINES: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-1',
};

/** The newest model of each line, the default first: the choices offered to the user. */
export const CURRENT_ANTHROPIC_MODELS: readonly AnthropicModel[] = ['sonnet', 'opus', 'haiku', 'fable'].flatMap(
  (line) => ANTHROPIC_MODELS.find(({ id }) => id === LINES[line]) ?? [],
);

/**
 * Source: https://platform.claude.com/docs/en/build-with-claude/vision, …/pdf-support, …/effort,
 * /agents-and-tools/tool-use/tool-search-tool.
 */
export function anthropicCapabilities(model: string): ModelCapabilities {
  const { id, thinking } = anthropicModel(model);
  const deferredTools = takesDeferredTools(id);
  return {
    tools: true,
    images: true,
    audio: false,
    documents: true,
    deferredTools,
    ...(deferredTools ? { definesDeferredTools: true } : {}),
    efforts: thinking === 'adaptive' ? ['low', 'medium', 'high', 'max'] : [],
  };
}

/** Every line of models takes deferred tools from Claude 4.5 on: `claude-haiku-4-5`, `claude-sonnet-6`. */
function takesDeferredTools(id: string): boolean {
  const [, major = '', minor = ''] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(id) ?? [];
  return Number(major) > 4 || (major === '4' && Number(minor) >= 5);
}

const BY_ID = new Map(ANTHROPIC_MODELS.map((model) => [model.id, model]));

/** The id to send for what a user typed: `sonnet`, `Claude-Sonnet-5.5`; any other text is sent unchanged. */
export function anthropicModelId(name: string): string {
  const trimmed = name.trim();
  const canonical = trimmed.toLowerCase().replaceAll('.', '-');
  const line = LINES[canonical.replace(/^claude-/, '').replace(/-latest$/, '')];
  if (line !== undefined) return line;
  return BY_ID.has(canonical.replace(/-\d{8}$/, '')) ? canonical : trimmed;
}

/**
 * Returns limits and price of a model. Dated ids (`claude-opus-4-5-20251101`) share their model's row. An unknown id
 * gets the limits of the smallest current model, so that no request is rejected for its size, and no price.
 */
export function anthropicModel(name: string): AnthropicModel {
  return knownAnthropicModel(name) ?? { id: anthropicModelId(name), limits: SMALL, price: undefined, thinking: 'none' };
}

/** Returns a model's row in the table, or `undefined` if it has none. */
export function knownAnthropicModel(name: string): AnthropicModel | undefined {
  const id = anthropicModelId(name);
  const known = BY_ID.get(id.replace(/-\d{8}$/, ''));
  return known && { ...known, id };
}
