import type { ListedModel, ModelPrice } from '../provider.ts';
import { count, type JsonRecord, list, record, text } from '../transport/answer-fields.ts';
import { OPENAI_MODEL_IDS, openAiModel } from './catalogue.ts';
import type { Dialect } from './service.ts';

/**
 * Models that answer no chat: those for recordings, pictures, vectors, moderation and live sessions, and those of older
 * APIs.
 */
const NO_CHAT: Readonly<Record<Dialect, RegExp>> = {
  openai:
    /embed|whisper|tts|transcri|dall-e|image|moderation|realtime|live|sora|davinci|babbage|instruct|computer-use|deep-research|search-(preview|api)|translate|codex-mini/,
  azure: /embed|whisper|tts|dall-e|image|moderation/,
  compatible: /embed|whisper|\btts\b|moderation|guard|rerank|orpheus/i,
};

/**
 * Reads the answer to `GET /models`. OpenAI names only ids; other services add limits (Groq, vLLM, GitHub), prices and
 * kinds of input (OpenRouter, GitHub), each in words of its own. GitHub sends a plain list.
 */
export function listedModels(answer: unknown, dialect: Dialect): readonly ListedModel[] {
  const rows = list(Array.isArray(answer) ? answer : record(answer).data).map(record);
  const models = rows.flatMap((row) => {
    const id = text(row.id);
    const isUsable = id !== undefined && id !== '' && row.active !== false && !NO_CHAT[dialect].test(id);
    return isUsable ? [{ model: dialect === 'openai' ? ofOpenAi(id) : ofCompatible(id, row), row }] : [];
  });
  return models
    .sort((a, b) => rank(a.model.id, dialect) - rank(b.model.id, dialect) || newest(b.row) - newest(a.row))
    .map(({ model }) => model);
}

/**
 * OpenAI's models have the order of the table, so that the newest come first; then come those that the table does not
 * know yet.
 */
function rank(id: string, dialect: Dialect): number {
  const index = dialect === 'openai' ? OPENAI_MODEL_IDS.indexOf(id) : -1;
  return index === -1 ? OPENAI_MODEL_IDS.length : index;
}

function newest(row: JsonRecord): number {
  return count(row.created) ?? 0;
}

function ofOpenAi(id: string): ListedModel {
  const { limits, price, isUnknown, accepts, efforts } = openAiModel(id);
  if (isUnknown) return { id };
  return { id, limits, ...(price === undefined ? {} : { price }), capabilities: { tools: true, ...accepts, efforts } };
}

function ofCompatible(id: string, row: JsonRecord): ListedModel {
  const top = record(row.top_provider);
  const told = record(row.limits);
  const contextTokens = first(
    row.context_window,
    row.context_length,
    row.max_model_len,
    row.max_context_length,
    told.max_input_tokens,
  );
  const maxOutputTokens = first(
    row.max_completion_tokens,
    top.max_completion_tokens,
    row.max_output_length,
    told.max_output_tokens,
  );
  const limits = {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  const name = text(row.name);
  const price = priceOf(record(row.pricing));
  const inputs = record(row.architecture).input_modalities ?? row.input_modalities ?? row.supported_input_modalities;
  // Only GitHub writes this list beside the other.
  const parameters = row.supported_parameters ?? (row.supported_input_modalities && row.capabilities);
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(price === undefined ? {} : { price }),
    ...(Array.isArray(inputs) || Array.isArray(parameters)
      ? {
          capabilities: {
            ...(Array.isArray(inputs) ? { images: inputs.includes('image') } : {}),
            ...(Array.isArray(parameters)
              ? { tools: parameters.some((each) => each === 'tools' || each === 'tool-calling') }
              : {}),
          },
        }
      : {}),
  };
}

function first(...values: readonly unknown[]): number | undefined {
  return values.map(count).find((value) => value !== undefined && value > 0);
}

/** OpenRouter states prices as text, in dollars for one token. */
function priceOf(pricing: JsonRecord): ModelPrice | undefined {
  const rate = (value: unknown) => (typeof value === 'string' && value !== '' ? Number(value) * 1_000_000 : undefined);
  const input = rate(pricing.prompt);
  const output = rate(pricing.completion);
  if (input === undefined || output === undefined || !(input >= 0) || !(output >= 0)) return undefined;
  return {
    input,
    output,
    cacheRead: rate(pricing.input_cache_read) ?? input,
    cacheWrite: rate(pricing.input_cache_write) ?? input,
  };
}
