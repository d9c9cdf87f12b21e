import type { Effort, ModelCapabilities, ModelLimits, ModelPrice } from '../provider.ts';

/** What the requests to a model depend on. */
export interface OpenAiModel {
  readonly id: string;
  readonly limits: ModelLimits;
  /** The price at OpenAI's own service. */
  readonly price: ModelPrice | undefined;
  /** Whether it thinks before it answers. If so, it takes an effort, but no temperature and no stop sequences. */
  readonly reasons: boolean;
  readonly efforts: readonly Effort[];
  /**
   * Whether nothing says which efforts it takes, if any. The effort that the user set is then sent until the service
   * refuses it.
   */
  readonly triesEffort: boolean;
  /** The service's word for `max`. */
  readonly highestEffort: 'max' | 'xhigh' | 'high';
  /** Whether requests with tools reach it only by Responses. */
  readonly needsResponses: boolean;
  readonly accepts: Pick<ModelCapabilities, 'images' | 'audio' | 'documents' | 'deferredTools'>;
  /** Whether the model is missing from the table below. */
  readonly isUnknown: boolean;
}

/**
 * The current models of OpenAI. Their ids, limits and prices are those of the model pages
 * (https://developers.openai.com/api/docs/models) and the pricing page (https://developers.openai.com/api/docs/pricing)
 * for standard processing and for cache writes kept for 30 minutes. Models before GPT-5.6 charge nothing extra for a
 * cache write. The prices were read from pages that quote the vendor's, and the user is told so.
 */
const SOURCE = 'sites that quote developers.openai.com/api/docs/pricing';
const CURRENT = { source: SOURCE, date: '2026-11' };
/** These prices were not found in a newer quotation. */
const OLDER = { source: SOURCE, date: '2026-06' };

const MILLION: ModelLimits = { contextTokens: 1_050_000, maxOutputTokens: 128_000 };
const LARGE: ModelLimits = { contextTokens: 400_000, maxOutputTokens: 128_000 };
const GPT_4_1: ModelLimits = { contextTokens: 1_047_576, maxOutputTokens: 32_768 };
const GPT_4O: ModelLimits = { contextTokens: 128_000, maxOutputTokens: 16_384 };
const O_SERIES: ModelLimits = { contextTokens: 200_000, maxOutputTokens: 100_000 };

const ROWS: readonly (readonly [id: string, limits: ModelLimits, price: ModelPrice | undefined])[] = [
  ['gpt-6.2-astra', MILLION, longer({ ...CURRENT, input: 8, output: 40, cacheRead: 0.4, cacheWrite: 10 })],
  ['gpt-6.2-sol', MILLION, longer({ ...CURRENT, input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 })],
  ['gpt-6.1-sol', MILLION, longer({ ...CURRENT, input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 })],
  ['gpt-6.1-terra', MILLION, longer({ ...CURRENT, input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25 })],
  ['gpt-6-astra', MILLION, longer({ ...CURRENT, input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 })],
  ['gpt-6-sol', MILLION, longer({ ...CURRENT, input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 })],
  ['gpt-6-luna', MILLION, longer({ ...CURRENT, input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 })],
  ['gpt-5.6-sol', MILLION, longer({ ...CURRENT, input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 })],
  ['gpt-5.6-terra', MILLION, longer({ ...CURRENT, input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5 })],
  ['gpt-5.6-luna', MILLION, longer({ ...CURRENT, input: 0.2, output: 1.2, cacheRead: 0.02, cacheWrite: 0.25 })],
  ['gpt-5.5', MILLION, longer({ ...CURRENT, input: 5, output: 30, cacheRead: 0.5, cacheWrite: 5 })],
  ['gpt-5.4', MILLION, longer({ ...CURRENT, input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 2.5 })],
  ['gpt-5.4-mini', LARGE, { ...CURRENT, input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0.75 }],
  ['gpt-5.4-nano', LARGE, { ...CURRENT, input: 0.2, output: 1.25, cacheRead: 0.02, cacheWrite: 0.2 }],
  ['gpt-5.2', LARGE, { ...OLDER, input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 1.75 }],
  ['gpt-5.1', LARGE, { ...OLDER, input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 }],
  ['gpt-5', LARGE, { ...OLDER, input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 }],
  ['gpt-5-mini', LARGE, { ...OLDER, input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 }],
  ['gpt-5-nano', LARGE, { ...OLDER, input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0.05 }],
  ['gpt-4.1', GPT_4_1, { ...OLDER, input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 }],
  ['gpt-4.1-mini', GPT_4_1, { ...OLDER, input: 0.4, output: 1.6, cacheRead: 0.1, cacheWrite: 0.4 }],
  ['gpt-4o', GPT_4O, { ...OLDER, input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 2.5 }],
  ['gpt-4o-mini', GPT_4O, { ...OLDER, input: 0.15, output: 0.6, cacheRead: 0.075, cacheWrite: 0.15 }],
  ['o3', O_SERIES, { ...OLDER, input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 }],
  ['o4-mini', O_SERIES, { ...OLDER, input: 1.1, output: 4.4, cacheRead: 0.275, cacheWrite: 1.1 }],
  // These have no price: recordings cost more than text, and the service's counts are only of both together.
  ['gpt-audio-1.5', GPT_4O, undefined],
  ['gpt-audio', GPT_4O, undefined],
];

/**
 * Adds the rates that apply to a whole request with more than 272,000 tokens of input: twice the input and cache rates,
 * and 1.5 times the output rate.
 */
function longer(price: ModelPrice): ModelPrice {
  const { input, output, cacheRead, cacheWrite } = price;
  return {
    ...price,
    longPrompt: {
      overTokens: 272_000,
      input: input * 2,
      output: output * 1.5,
      cacheRead: cacheRead * 2,
      cacheWrite: cacheWrite * 2,
    },
  };
}

/** Limits assumed for an unknown model: small enough that no request is refused for its size by a service of today. */
const SMALLEST: ModelLimits = { contextTokens: 128_000, maxOutputTokens: 16_384 };

const BY_ID = new Map(ROWS.map(([id, limits, price]) => [id, { limits, price }]));

export const OPENAI_MODEL_IDS: readonly string[] = ROWS.map(([id]) => id);

/**
 * Describes a model of OpenAI. Dated ids (`gpt-5.4-mini-2026-03-17`) share their model's row. What a request depends on
 * follows from the generation in the name, so that a model newer than the table is reached too.
 */
export function openAiModel(name: string): OpenAiModel {
  const id = name.trim();
  const plain = id
    .toLowerCase()
    .replace(/^openai\//, '')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const row = BY_ID.get(plain);
  const traits = traitsOf(plain);
  // A fine-tuned model, `ft:…`, is one of these.
  const triesEffort = row === undefined && !traits.reasons && !plain.startsWith('gpt-');
  return {
    id,
    limits: row?.limits ?? SMALLEST,
    price: row?.price,
    isUnknown: row === undefined,
    ...traits,
    triesEffort,
  };
}

type Traits = Omit<OpenAiModel, 'id' | 'limits' | 'price' | 'isUnknown' | 'triesEffort'>;

function traitsOf(id: string): Traits {
  if (/^gpt-(4o-)?(mini-)?audio/.test(id)) return { ...PLAIN, accepts: { ...NOTHING, audio: true } };
  const [, o] = /^o(\d)(?:-|$)/.exec(id) ?? [];
  if (o !== undefined)
    return {
      ...thinking(LOW_TO_HIGH, 'high'),
      needsResponses: false,
      accepts: o === '1' || id.startsWith('o3-mini') ? NOTHING : SEES,
    };
  const generation = Number(/^gpt-(\d+(?:\.\d+)?)(?:-|$)/.exec(id)?.[1] ?? 0);
  if (generation < 5 || id.includes('-chat'))
    return { ...PLAIN, accepts: /^gpt-(4o|4\.1|4-turbo|5)/.test(id) ? SEES : NOTHING };
  if (generation === 5) return { ...thinking(LOW_TO_HIGH, 'high'), accepts: SEES };
  if (generation < 5.2) return { ...thinking(['none', ...LOW_TO_HIGH], 'high'), accepts: SEES };
  if (generation < 5.4) return { ...thinking(FROM_NONE, 'xhigh'), accepts: SEES };
  if (generation < 5.6) return { ...thinking(FROM_NONE, 'xhigh'), accepts: SEES_AND_SEARCHES };
  // Among the models of the sixth generation, only these can be told not to think.
  const canSkip = generation < 6 || /^gpt-6-(sol|luna)/.test(id);
  return { ...thinking(canSkip ? FROM_NONE : [...LOW_TO_HIGH, 'max'], 'max'), accepts: SEES_AND_SEARCHES };
}

const NOTHING = { images: false, audio: false, documents: false, deferredTools: false };
/** Source: https://developers.openai.com/api/docs/guides/images-vision, …/guides/file-inputs */
const SEES = { ...NOTHING, images: true, documents: true };
/** Source: https://developers.openai.com/api/docs/guides/tools-tool-search */
const SEES_AND_SEARCHES = { ...SEES, deferredTools: true };
const LOW_TO_HIGH: readonly Effort[] = ['low', 'medium', 'high'];
const FROM_NONE: readonly Effort[] = ['none', ...LOW_TO_HIGH, 'max'];
const PLAIN: Omit<Traits, 'accepts'> = { reasons: false, efforts: [], highestEffort: 'high', needsResponses: false };

/**
 * The traits of a model that thinks. The service answers `Function tools with reasoning_effort are not supported for
 * gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.` to any request with tools from GPT-5.4 on. All
 * thinking models of the fifth generation and later keep their thoughts between calls only in Responses.
 */
function thinking(efforts: readonly Effort[], highestEffort: OpenAiModel['highestEffort']): Omit<Traits, 'accepts'> {
  return { reasons: true, efforts, highestEffort, needsResponses: true };
}

/**
 * Describes a model whose name says nothing, such as that of a deployment at Azure. It is taken to see, as all of
 * OpenAI's do. `reasons` says that it refused Chat Completions in words that only thinking models use.
 */
export function unnamedModel(model: OpenAiModel, reasons: boolean): OpenAiModel {
  const seeing = { ...model, accepts: SEES, triesEffort: true };
  return reasons ? { ...seeing, ...thinking(LOW_TO_HIGH, 'high') } : seeing;
}

/** Returns the service's word for an effort, or `undefined` if the model has no such choice. */
export function effortWord(model: OpenAiModel, effort: Effort | undefined): string | undefined {
  if (effort === undefined || !(model.triesEffort || model.efforts.includes(effort))) return undefined;
  return effort === 'max' ? model.highestEffort : effort;
}

/** Describes a model of another company behind the same format, which the table does not know. */
export function compatibleModel(name: string): OpenAiModel {
  const id = name.trim();
  const plain = id.toLowerCase();
  const known = openAiModel(id);
  const efforts = /gpt-oss/.test(plain) ? LOW_TO_HIGH : [];
  return {
    id,
    limits: known.isUnknown ? COMPATIBLE : known.limits,
    price: undefined,
    isUnknown: known.isUnknown,
    ...PLAIN,
    efforts,
    triesEffort: true,
    highestEffort: known.highestEffort,
    accepts: { ...NOTHING, images: !TEXT_ONLY.test(plain) },
  };
}

/** Limits that even a service with small models has; `contextTokens` in config.json says it better. */
const COMPATIBLE: ModelLimits = { contextTokens: 32_768, maxOutputTokens: 8_192 };
/** Lines of models without vision. Whether any other model sees is only known once the service refused a picture. */
const TEXT_ONLY =
  /gpt-oss|deepseek|gpt-3\.5|llama-?3\.[13]|codestral|devstral|qwen3-(coder|\d+b)|kimi-k2(?!\.)|phi-4(?!.*multimodal)/;
