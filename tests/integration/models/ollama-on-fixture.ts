import { afterEach } from 'vitest';
import { OllamaProvider, type OllamaProviderOptions } from '../../../src-main/models/ollama/ollama-provider.ts';
import { type OllamaFixture, type OllamaOptions, startOllama } from '../../fixtures/ollama/server.ts';
import { asking, withoutWaiting } from './asking.ts';

/** The provider in front of a scripted server that ends with the test. */

const started: OllamaFixture[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export async function ollamaWith(options: OllamaOptions, given: Partial<OllamaProviderOptions> = {}) {
  const server = await startOllama(options);
  started.push(server);
  const waits: number[] = [];
  const provider = new OllamaProvider({
    name: 'ollama',
    apiKey: async () => undefined,
    needsKey: false,
    baseUrl: server.url,
    ...withoutWaiting(waits),
    ...given,
  });
  const ask = asking(provider, { model: 'qwen3:8b' });
  const chats = () => server.requests.map(({ body }) => body as ChatBody);
  return { server, provider, ask, waits, chats };
}

interface ChatBody {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly think?: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}
