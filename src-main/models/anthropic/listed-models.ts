import type { Effort, ListedModel, ModelCapabilities } from '../provider.ts';
import { count, type JsonRecord, list, record, text } from '../transport/answer-fields.ts';
import { anthropicModel } from './catalogue.ts';

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'max'];

/**
 * Reads one page of `GET /v1/models` (https://platform.claude.com/docs/en/api/models-list): the ids with what the
 * service tells of each model, and the prices that we know.
 */
export function listedModels(page: unknown): readonly ListedModel[] {
  return list(record(page).data).flatMap((row) => listedModel(record(row)));
}

function listedModel(row: JsonRecord): ListedModel[] {
  const id = text(row.id);
  if (id === undefined || id === '' || row.lifecycle === 'retired') return [];
  const { limits, price } = anthropicModel(id);
  const name = text(row.display_name);
  const told = row.capabilities === null || row.capabilities === undefined ? undefined : record(row.capabilities);
  return [
    {
      id,
      ...(name === undefined || name === id ? {} : { name }),
      limits: {
        contextTokens: count(row.max_input_tokens) ?? limits.contextTokens,
        maxOutputTokens: count(row.max_tokens) ?? limits.maxOutputTokens,
      },
      ...(price === undefined ? {} : { price }),
      ...(told === undefined ? {} : { capabilities: capabilitiesIn(told) }),
    },
  ];
}

function capabilitiesIn(told: JsonRecord): Partial<ModelCapabilities> {
  const isSupported = (capability: unknown) => record(capability).supported === true;
  const effort = record(told.effort);
  return {
    tools: true,
    images: isSupported(told.image_input),
    documents: isSupported(told.pdf_input),
    efforts: isSupported(effort) ? EFFORTS.filter((level) => isSupported(effort[level])) : [],
  };
}
