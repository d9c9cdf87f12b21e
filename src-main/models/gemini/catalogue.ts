import type { Effort, ListedModel, ModelCapabilities, ModelLimits, ModelPrice, TokenRates } from '../provider.ts';

/**
 * How a model is told how much to think: by `thinkingLevel` (`levels`, from Gemini 3 on) or by `thinkingBudget`, in
 * tokens (`budget`). A request with the other model's parameter is refused. With `none` the model does not think, or is
 * unknown; the request then doesn't mention thinking.
 */
export type Thinking =
  | { readonly by: 'levels'; readonly levels: readonly ThinkingLevelName[] }
  | { readonly by: 'budget'; readonly least: number; readonly most: number }
  | { readonly by: 'none' };

export type ThinkingLevelName = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH';

export interface GeminiModel {
  /** The id that requests name, without the prefix `models/`. */
  readonly id: string;
  readonly limits: ModelLimits;
  readonly price: ModelPrice | undefined;
  readonly thinking: Thinking;
  /**
   * Gemini 3 and later are strict: calls have ids, their results name them, signatures of calls are required, and
   * results may hold pictures and documents.
   */
  readonly isStrict: boolean;
  /** Whether the model takes a temperature. Newer ones don't. */
  readonly hasTemperature: boolean;
}

interface Row {
  readonly id: string;
  readonly thinking: Thinking;
  readonly maxOutputTokens?: number;
  readonly hasTemperature?: false;
  readonly prices?: readonly Priced[];
}

/** A price that may end: `until` is the first day that has another price, in ISO 8601. */
type Priced = ModelPrice & { readonly until?: string };

const rates = (input: number, output: number, cacheRead: number): TokenRates => ({
  input,
  output,
  cacheRead,
  // What caching costs beyond the input is storage by the hour, and only for caches that the caller creates.
  cacheWrite: input,
});
const LONG_PROMPT_TOKENS = 200_000;
const MILLION_TOKENS = 1_048_576;
const USUAL_OUTPUT = 65_536;

const FROM_LOW: Thinking = { by: 'levels', levels: ['LOW', 'MEDIUM', 'HIGH'] };
const FROM_MINIMAL: Thinking = { by: 'levels', levels: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] };

/**
 * The sources, as of November 2026, are https://ai.google.dev/gemini-api/docs/models, …/pricing, …/latest-model and
 * …/thinking, and for levels
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides/gemini-3-5-flash. No price is given
 * where those pages have none that we could read.
 */
const ROWS: readonly Row[] = [
  {
    id: 'gemini-4-argon',
    thinking: FROM_LOW,
    maxOutputTokens: MILLION_TOKENS,
    hasTemperature: false,
    prices: [{ ...rates(2, 10, 0.1), until: '2026-12-01' }, rates(4, 20, 0.2)],
  },
  { id: 'gemini-3.8-flash', thinking: FROM_LOW, hasTemperature: false, prices: [rates(0.75, 3.75, 0.075)] },
  { id: 'gemini-3.7-flash', thinking: FROM_LOW, hasTemperature: false, prices: [rates(0.75, 3.75, 0.075)] },
  { id: 'gemini-3.5-flash', thinking: FROM_MINIMAL, hasTemperature: false },
  {
    id: 'gemini-3.1-pro-preview',
    thinking: FROM_LOW,
    prices: [{ ...rates(2, 12, 0.2), longPrompt: { ...rates(4, 18, 0.4), overTokens: LONG_PROMPT_TOKENS } }],
  },
  { id: 'gemini-3.1-flash-lite', thinking: FROM_MINIMAL },
  { id: 'gemini-3-flash-preview', thinking: FROM_MINIMAL, prices: [rates(0.5, 3, 0.05)] },
  {
    id: 'gemini-2.5-pro',
    thinking: { by: 'budget', least: 128, most: 32_768 },
    prices: [{ ...rates(1.25, 10, 0.125), longPrompt: { ...rates(2.5, 15, 0.25), overTokens: LONG_PROMPT_TOKENS } }],
  },
  { id: 'gemini-2.5-flash', thinking: { by: 'budget', least: 0, most: 24_576 }, prices: [rates(0.3, 2.5, 0.03)] },
  { id: 'gemini-2.5-flash-lite', thinking: { by: 'budget', least: 0, most: 24_576 }, prices: [rates(0.1, 0.4, 0.01)] },
];

const BY_ID = new Map(ROWS.map((row) => [row.id, row]));

/** The id to send for what a user typed. */
export function geminiModelId(name: string): string {
  const id = name.trim().replace(/^models\//i, '');
  return BY_ID.has(id.toLowerCase()) ? id.toLowerCase() : id;
}

/**
 * Describes a model. What the service says of it wins over our rows; a model that neither knows gets cautious limits
 * and no price. The price is the one that counts at `now`.
 */
export function geminiModel(name: string, listed?: ListedModel, now = new Date()): GeminiModel {
  const id = geminiModelId(name);
  const row = BY_ID.get(id) ?? BY_ID.get(id.replace(/-\d{3}$|-\d{2}-\d{4}$|-latest$/, ''));
  const generation = Number(/^gemini-(\d+)/.exec(id)?.[1] ?? Number.NaN);
  const known = row === undefined ? undefined : { contextTokens: MILLION_TOKENS, maxOutputTokens: USUAL_OUTPUT };
  return {
    id,
    limits: {
      contextTokens: listed?.limits?.contextTokens ?? known?.contextTokens ?? 128_000,
      maxOutputTokens: listed?.limits?.maxOutputTokens ?? row?.maxOutputTokens ?? known?.maxOutputTokens ?? 8_192,
    },
    price: priceOn(now, row),
    thinking: row?.thinking ?? (generation >= 3 ? FROM_LOW : { by: 'none' }),
    isStrict: generation >= 3,
    hasTemperature: row === undefined ? !(generation >= 4) : row.hasTemperature !== false,
  };
}

function priceOn(day: Date, row: Row | undefined): ModelPrice | undefined {
  const priced = row?.prices?.find(({ until }) => until === undefined || day.getTime() < Date.parse(until));
  if (priced === undefined) return undefined;
  const { until: _until, ...price } = priced;
  return price;
}

/**
 * Every Gemini takes pictures, recordings and documents; nothing is said of Gemma. Source:
 * https://ai.google.dev/gemini-api/docs/image-understanding, …/audio, …/document-processing
 */
export function geminiCapabilities({ id, thinking }: GeminiModel): ModelCapabilities {
  const isGemini = id.startsWith('gemini-');
  return {
    ...(isGemini ? {} : { isAssumed: true }),
    tools: isGemini,
    images: true,
    audio: isGemini,
    documents: isGemini,
    deferredTools: false,
    efforts: effortsOf(thinking),
  };
}

function effortsOf(thinking: Thinking): readonly Effort[] {
  if (thinking.by === 'none') return [];
  if (thinking.by === 'budget')
    return [...(thinking.least === 0 ? ['none' as const] : []), 'low', 'medium', 'high', 'max'];
  return ['low', 'medium', 'high'];
}
