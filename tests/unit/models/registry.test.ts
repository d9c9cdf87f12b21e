import { describe, expect, test } from 'vitest';
import {
  ANTHROPIC_MODELS,
  anthropicModel,
  anthropicModelId,
  DEFAULT_ANTHROPIC_MODEL,
} from '../../../src-main/models/anthropic/catalogue.ts';
import { costUsd } from '../../../src-main/models/provider.ts';
import {
  loadProvider,
  ModelChoiceError,
  type ModelChoices,
  resolveModel,
  UnconfirmedProviderError,
} from '../../../src-main/models/registry.ts';

const WORK = { type: 'anthropic', model: 'claude-opus-5-5', baseUrl: 'https://gateway.example/anthropic' } as const;
const LOCAL = { type: 'ollama', model: 'qwen3' } as const;
const PROVIDERS: ModelChoices['providers'] = {
  Work: WORK,
  gpt: { type: 'openai', model: 'gpt-5' },
};

describe('--model', () => {
  const CLAUDE = { provider: 'anthropic', type: 'anthropic', model: DEFAULT_ANTHROPIC_MODEL };
  const GUIDE = { provider: 'guide', type: 'guide', model: 'guide' };
  test.each([
    ['nothing given, a key is set', undefined, { hasAnthropicKey: true }, CLAUDE],
    ['nothing given, no key', undefined, { hasAnthropicKey: false }, GUIDE],
    [
      'the model of config.json',
      undefined,
      { hasAnthropicKey: false, defaultModel: 'claude-opus-4-8' },
      { ...CLAUDE, model: 'claude-opus-4-8' },
    ],
    ['a bare id', 'claude-next', { hasAnthropicKey: false }, { ...CLAUDE, model: 'claude-next' }],
    ['a short name', 'opus', { hasAnthropicKey: false }, { ...CLAUDE, model: 'claude-opus-5-5' }],
    ['guide', 'Guide', { hasAnthropicKey: true, defaultModel: 'x' }, GUIDE],
    [
      'provider:model',
      'anthropic:claude-haiku-4-5',
      { hasAnthropicKey: true },
      { ...CLAUDE, model: 'claude-haiku-4-5' },
    ],
    [
      'the name of a provider of config.json, alone',
      'Gpt',
      { hasAnthropicKey: true, providers: PROVIDERS },
      { provider: 'gpt', type: 'openai', model: 'gpt-5', settings: { type: 'openai', model: 'gpt-5' } },
    ],
    [
      'a Claude id, whatever a provider is called',
      'claude-next',
      { hasAnthropicKey: true, providers: { 'claude-next': LOCAL }, unconfirmed: ['opus'] },
      { ...CLAUDE, model: 'claude-next' },
    ],
    ['the vendor of Claude, alone', 'Anthropic', { hasAnthropicKey: true }, CLAUDE],
    [
      'a provider of config.json',
      'work:',
      { hasAnthropicKey: true, providers: PROVIDERS },
      { provider: 'Work', type: 'anthropic', model: 'claude-opus-5-5', settings: WORK },
    ],
    [
      'a model of a provider of config.json',
      'GPT:o9',
      { hasAnthropicKey: true, providers: PROVIDERS },
      { provider: 'gpt', type: 'openai', model: 'o9', settings: { type: 'openai', model: 'gpt-5' } },
    ],
    [
      'a vendor without an entry',
      'OpenAI:gpt-6',
      { hasAnthropicKey: true },
      { provider: 'openai', type: 'openai', model: 'gpt-6' },
    ],
    [
      'a model id with a colon',
      'ollama:qwen3:8b',
      { hasAnthropicKey: true },
      { provider: 'ollama', type: 'ollama', model: 'qwen3:8b' },
    ],
    [
      'a provider with a colon in its name',
      'Anthropic:latest:qwen3:8b',
      { hasAnthropicKey: true, providers: { 'anthropic:latest': LOCAL, anthropic: WORK } },
      { provider: 'anthropic:latest', type: 'ollama', model: 'qwen3:8b', settings: LOCAL },
    ],
  ])('%s', (_, spec, choices, expected) => {
    expect(resolveModel(spec, choices)).toEqual(expected);
  });

  test('an unavailable model is explained', () => {
    const choices = { hasAnthropicKey: true, providers: PROVIDERS };
    expect(() => resolveModel('nope:x', choices)).toThrow(/Unknown provider: "nope"[\s\S]*anthropic, guide, Work, gpt/);
    expect(() => resolveModel('gemini:', choices)).toThrow(ModelChoiceError);
    expect(() => resolveModel('ollama', choices)).toThrow(/No model of ollama is named\. Name one: ollama:MODEL/);
    expect(() => resolveModel(' ', choices)).toThrow(ModelChoiceError);
  });

  test('a provider that is not confirmed yet is none, and not the vendor of its name either', () => {
    const choices = { hasAnthropicKey: true, providers: PROVIDERS, unconfirmed: ['OpenAI', 'late'] };
    for (const spec of ['openai:gpt-6', 'Late:x', 'late:', 'late', 'openai'])
      expect(() => resolveModel(spec, choices)).toThrow(UnconfirmedProviderError);
    expect(resolveModel('work:', choices).provider).toBe('Work');
  });

  test('the chosen provider is created', async () => {
    const access = { apiKey: async () => undefined };
    expect((await loadProvider(resolveModel('guide', { hasAnthropicKey: true }), access)).isOffline).toBe(true);
    expect(
      (await loadProvider(resolveModel('work:', { hasAnthropicKey: true, providers: PROVIDERS }), access)).name,
    ).toBe('Work');
  });
});

describe('known facts about models', () => {
  test('the default is in the catalogue, with a price', () => {
    expect(ANTHROPIC_MODELS.find((model) => model.id === DEFAULT_ANTHROPIC_MODEL)?.price).toBeDefined();
  });

  test('dated and short names find their model; an unknown one gets small limits and no price', () => {
    expect(anthropicModel('claude-opus-4-5-20251101')).toMatchObject({
      id: 'claude-opus-4-5-20251101',
      thinking: 'none',
      price: { input: 5 },
    });
    expect(anthropicModelId('Claude-Sonnet-5.5')).toBe('claude-sonnet-5-5');
    expect(anthropicModelId('haiku')).toBe('claude-haiku-5-5');
    expect(anthropicModel('my-own')).toEqual({
      id: 'my-own',
      limits: { contextTokens: 200_000, maxOutputTokens: 64_000 },
      price: undefined,
      thinking: 'none',
    });
  });
});

describe('cost', () => {
  test('each kind of token has its rate', () => {
    const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 400_000 };
    expect(costUsd(usage, anthropicModel('claude-opus-5-5').price)).toBeCloseTo(4 + 2 + 0.4 + 2, 10);
    expect(costUsd(usage, undefined)).toBeUndefined();
  });

  test('a long prompt, cached parts included, is charged at the rates for long prompts', () => {
    const { price } = anthropicModel('claude-haiku-5-5');
    expect(costUsd({ input: 50_000, output: 1_000, cacheRead: 50_000, cacheWrite: 0 }, price)).toBeCloseTo(
      0.005 + 0.0005 + 0.0005,
      10,
    );
    expect(costUsd({ input: 50_001, output: 1_000, cacheRead: 50_000, cacheWrite: 0 }, price)).toBeCloseTo(
      0.0250005 + 0.0025 + 0.0025,
      10,
    );
  });
});
