import { afterEach } from 'vitest';
import { GeminiProvider, type GeminiProviderOptions } from '../../../src-main/models/gemini/gemini-provider.ts';
import type { ModelRequest } from '../../../src-main/models/provider.ts';
import { type GeminiFixture, type GeminiOptions, startGemini } from '../../fixtures/gemini/server.ts';
import { asking, withoutWaiting } from './asking.ts';

/** The provider in front of a scripted server that ends with the test. */

export const GEMINI_KEY = 'AIzaSyTest0123456789abcdef0123456789abc';
const started: GeminiFixture[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export async function geminiWith(options: GeminiOptions, given: Partial<GeminiProviderOptions> = {}, prefix = '') {
  const server = await startGemini(options);
  started.push(server);
  const waits: number[] = [];
  const provider = new GeminiProvider({
    name: 'gemini',
    apiKey: async () => GEMINI_KEY,
    needsKey: true,
    baseUrl: server.url + prefix,
    ...withoutWaiting(waits),
    ...given,
  });
  const ask = asking(provider, { model: 'gemini-3.8-flash' });
  return { server, provider, ask, waits };
}

/** The body of a request as sent. */
export function bodyOf(server: GeminiFixture, index: number): GeminiBody {
  return server.requests[index]?.body as GeminiBody;
}

interface GeminiBody {
  readonly contents: readonly { readonly role: string; readonly parts: readonly Readonly<Record<string, unknown>>[] }[];
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly tools?: readonly { readonly functionDeclarations: readonly { readonly name: string }[] }[];
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

export type Asked = Partial<ModelRequest>;
