import { expect, test } from 'vitest';
import { listedModels } from '../../../src-main/models/openai/listed-models.ts';
import { OpenAiProvider } from '../../../src-main/models/openai/openai-provider.ts';

/** As documented at https://docs.github.com/en/rest/models/catalog */
const CATALOG = [
  {
    id: 'openai/gpt-4.1',
    name: 'OpenAI GPT-4.1',
    publisher: 'OpenAI',
    version: '2025-04-14',
    capabilities: ['streaming', 'tool-calling'],
    limits: { max_input_tokens: 1_048_576, max_output_tokens: 32_768 },
    supported_input_modalities: ['text', 'image'],
  },
  {
    id: 'meta/llama-small',
    name: 'Llama',
    publisher: 'Meta',
    capabilities: ['streaming'],
    limits: { max_input_tokens: 8_000, max_output_tokens: null },
    supported_input_modalities: ['text'],
  },
  { id: 'openai/text-embedding-3-small', name: 'Embeddings', capabilities: [], supported_input_modalities: ['text'] },
];

test('the catalog of GitHub Models tells limits, tools and images', () => {
  expect(listedModels(CATALOG, 'compatible')).toEqual([
    {
      id: 'openai/gpt-4.1',
      name: 'OpenAI GPT-4.1',
      capabilities: { images: true, tools: true },
      limits: { contextTokens: 1_048_576, maxOutputTokens: 32_768 },
    },
    {
      id: 'meta/llama-small',
      name: 'Llama',
      capabilities: { images: false, tools: false },
      limits: { contextTokens: 8_000 },
    },
  ]);
});

test('it is asked for beside the API, with the token', async () => {
  const asked: { url: string; authorization: string | null }[] = [];
  const provider = new OpenAiProvider({
    name: 'github-models',
    needsKey: false,
    apiKey: async () => 'github_pat_fixture',
    baseUrl: 'https://models.github.ai/inference',
    fetch: async (url, init) => {
      asked.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') });
      return Response.json(CATALOG);
    },
  });
  expect(await provider.list(new AbortController().signal)).toHaveLength(2);
  expect(asked).toEqual([
    { url: 'https://models.github.ai/catalog/models', authorization: 'Bearer github_pat_fixture' },
  ]);
});
