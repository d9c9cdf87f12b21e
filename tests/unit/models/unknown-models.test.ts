import { expect, test } from 'vitest';
import { knownAbilities } from '../../../src-main/ipc/providers/model-abilities.ts';
import type { ListedModel } from '../../../src-main/models/provider.ts';
import { loadProvider, type ProviderSettings } from '../../../src-main/models/registry.ts';

async function abilities(settings: ProviderSettings, model: string, listed?: Partial<ListedModel>) {
  const provider = await loadProvider(
    { provider: 'house', type: settings.type, model, settings },
    { apiKey: async () => undefined, listed: () => (listed === undefined ? undefined : { id: model, ...listed }) },
  );
  return knownAbilities(provider.capabilities(model));
}

const COMPATIBLE = { type: 'openai', baseUrl: 'http://127.0.0.1:1/v1' } as const;

test.each<[string, ProviderSettings, string]>([
  ['a compatible service', COMPATIBLE, 'house-large'],
  ['a line of models that usually sees', COMPATIBLE, 'llama-4-scout'],
  ['a line of models that usually does not see', COMPATIBLE, 'deepseek-v4'],
  ['a model of OpenAI that is newer than our table', { type: 'openai' }, 'gpt-9-nova'],
  ['a deployment of Azure', { type: 'openai', baseUrl: 'https://x.openai.azure.com', apiVersion: '1' }, 'ours'],
  ['a gateway of Claude', { type: 'anthropic', baseUrl: 'https://gateway.example' }, 'house-large'],
  ['another model of Google', { type: 'gemini' }, 'gemma-4-27b'],
  ['Ollama, before it was asked', { type: 'ollama' }, 'house-large'],
])('nothing is said of a model that nobody described: %s', async (_, settings, model) => {
  expect(await abilities(settings, model)).toBeNull();
});

test('what a service says of a model counts', async () => {
  const capabilities = { images: true, tools: false };
  expect(await abilities(COMPATIBLE, 'house-large', { capabilities })).toEqual(['images']);
  expect(await abilities({ type: 'ollama' }, 'qwen3', { capabilities: { ...capabilities, efforts: [] } })).toEqual([
    'images',
  ]);
  // Which kinds of input it takes is still unknown.
  expect(await abilities(COMPATIBLE, 'house-large', { capabilities: { tools: true } })).toBeNull();
});

test('what our table says of a model counts', async () => {
  expect(await abilities({ type: 'openai' }, 'gpt-4.1')).toContain('images');
  expect(await abilities({ type: 'gemini' }, 'gemini-3.8-flash')).toContain('documents');
  expect(await abilities({ type: 'anthropic' }, 'claude-sonnet-5-5')).toContain('images');
});
