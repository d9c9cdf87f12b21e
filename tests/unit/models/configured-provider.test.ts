import { describe, expect, test } from 'vitest';
import { ConfiguredProvider } from '../../../src-main/models/configured-provider.ts';
import { ownPrice, ownPriceKey } from '../../../src-main/models/own-prices.ts';
import type { ModelProvider, ModelRequest } from '../../../src-main/models/provider.ts';
import { anyModel } from '../../fixtures/scripted-model.ts';

const RATES = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 };

describe("which of the user's prices a model has", () => {
  const gpt = { provider: 'work', type: 'openai', model: 'gpt-5' };
  const price = (input: number) => ({ input, output: 0 });

  test.each([
    { keys: ['work:gpt-5', 'openai:gpt-5', 'work:*'], found: 'work:gpt-5' },
    { keys: ['openai:gpt-5', 'work:*', 'openai:*'], found: 'openai:gpt-5' },
    { keys: ['work:*', 'openai:*'], found: 'work:*' },
    { keys: ['openai:*'], found: 'openai:*' },
    { keys: ['Work:GPT-5'], found: 'Work:GPT-5' },
    { keys: ['other:gpt-5', 'openai:gpt-5-mini'], found: undefined },
  ])('$keys: $found', ({ keys, found }) => {
    expect(ownPriceKey(gpt, Object.fromEntries(keys.map((key) => [key, price(1)])))).toBe(found);
  });

  test('cached tokens cost as much as others unless it says otherwise', () => {
    expect(ownPrice(gpt, { 'openai:gpt-5': price(3) })).toMatchObject({ cacheRead: 3, cacheWrite: 3 });
    expect(ownPrice(gpt, { 'openai:gpt-5': { ...price(3), cacheRead: 0 } })).toMatchObject({ cacheRead: 0 });
  });
});

describe('a provider with its settings', () => {
  class Recording implements Pick<ModelProvider, 'stream'> {
    readonly asked: ModelRequest[] = [];
    async *stream(request: ModelRequest) {
      this.asked.push(request);
      yield { type: 'text', text: 'Hi.' } as const;
    }
  }
  const request = { model: 'm', system: '', messages: [], tools: [], signal: new AbortController().signal };

  test('what a request says itself comes first', async () => {
    const recording = new Recording();
    const provider = new ConfiguredProvider(
      { ...anyModel, stream: (asked) => recording.stream(asked) },
      {
        requests: { maxTokens: 9, temperature: 0.5, effort: 'high' },
        check: () => undefined,
        priceOf: () => undefined,
      },
    );
    for await (const _ of provider.stream(request)) break;
    for await (const _ of provider.stream({ ...request, maxTokens: 3 })) break;
    expect(recording.asked).toMatchObject([
      { maxTokens: 9, temperature: 0.5, effort: 'high' },
      { maxTokens: 3, temperature: 0.5, effort: 'high' },
    ]);
  });

  test('the own price is asked for first, then the provider; without either there is none', () => {
    const of = (own: boolean, known: boolean) =>
      new ConfiguredProvider(
        { ...anyModel, price: () => (known ? { ...RATES, input: 7 } : undefined), stream: new Recording().stream },
        { requests: {}, check: () => undefined, priceOf: () => (own ? RATES : undefined) },
      ).price('m')?.input;
    expect([of(true, true), of(false, true), of(false, false)]).toEqual([1, 7, undefined]);
  });

  test('its context window replaces the known one, and no answer can be longer than it', () => {
    const provider = new ConfiguredProvider(
      { ...anyModel, stream: new Recording().stream },
      { requests: {}, contextTokens: 500, check: () => undefined, priceOf: () => undefined },
    );
    expect(provider.limits('m')).toEqual({ contextTokens: 500, maxOutputTokens: 500 });
  });
});
