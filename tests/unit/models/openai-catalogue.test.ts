import { describe, expect, test } from 'vitest';
import {
  compatibleModel,
  effortWord,
  OPENAI_MODEL_IDS,
  openAiModel,
  unnamedModel,
} from '../../../src-main/models/openai/catalogue.ts';
import { costUsd } from '../../../src-main/models/provider.ts';

describe('models of OpenAI', () => {
  test('each has limits, can do something besides text, and costs what a longer prompt costs more', () => {
    for (const id of OPENAI_MODEL_IDS) {
      const { limits, price, accepts, isUnknown } = openAiModel(id);
      expect(isUnknown, id).toBe(false);
      expect(limits.maxOutputTokens, id).toBeLessThan(limits.contextTokens);
      expect(Object.values(accepts).some(Boolean), id).toBe(true);
      if (price === undefined) continue;
      expect(price, id).toMatchObject({ source: expect.stringContaining('quote'), date: expect.any(String) });
      expect(price.cacheRead, id).toBeLessThan(price.input);
      expect(price.input, id).toBeLessThan(price.output);
    }
    const { price } = openAiModel('gpt-6.2-sol');
    const usage = { input: 200_000, output: 1_000, cacheRead: 0, cacheWrite: 0 };
    expect(costUsd(usage, price)).toBeCloseTo(0.41);
    expect(costUsd({ ...usage, cacheRead: 100_000 }, price)).toBeCloseTo(0.8 + 0.015 + 0.02);
  });

  test('dated and prefixed names share their row; an unknown one has cautious limits and no price', () => {
    expect(openAiModel('gpt-5.4-mini-2026-03-17')).toMatchObject({
      id: 'gpt-5.4-mini-2026-03-17',
      price: { input: 0.75 },
    });
    expect(openAiModel('openai/gpt-4o').price?.input).toBe(2.5);
    expect(openAiModel('gpt-9-nova')).toMatchObject({
      isUnknown: true,
      price: undefined,
      limits: { contextTokens: 128_000 },
    });
  });

  test.each([
    ['gpt-4.1', { reasons: false, needsResponses: false, efforts: [] }],
    ['gpt-5-chat-latest', { reasons: false, needsResponses: false }],
    ['gpt-5-mini', { reasons: true, needsResponses: true, efforts: ['low', 'medium', 'high'] }],
    ['gpt-5.1', { efforts: ['none', 'low', 'medium', 'high'] }],
    ['gpt-5.5', { efforts: ['none', 'low', 'medium', 'high', 'max'], highestEffort: 'xhigh' }],
    ['gpt-6-luna', { efforts: ['none', 'low', 'medium', 'high', 'max'], highestEffort: 'max' }],
    ['gpt-6.2-astra', { efforts: ['low', 'medium', 'high', 'max'], needsResponses: true }],
    ['gpt-10', { reasons: true, needsResponses: true, accepts: { images: true } }],
    ['o3', { reasons: true, needsResponses: false }],
    ['gpt-audio-1.5', { reasons: false, accepts: { audio: true, images: false } }],
  ])('%s by the generation in its name', (id, traits) => {
    expect(openAiModel(id)).toMatchObject(traits);
  });

  test('an effort is only sent to models that know it', () => {
    expect(effortWord(openAiModel('gpt-5.4'), 'max')).toBe('xhigh');
    expect(effortWord(openAiModel('gpt-6.2-sol'), 'none')).toBeUndefined();
    expect(effortWord(openAiModel('gpt-4o'), 'low')).toBeUndefined();
    expect(effortWord(openAiModel('gpt-5'), undefined)).toBeUndefined();
    expect(effortWord(openAiModel('gpt-4o-2030-01-01'), 'low')).toBeUndefined();
  });

  test('an effort is tried where the name says nothing of the model, in the strongest word that all understand', () => {
    for (const model of [
      compatibleModel('qwen3-32b'),
      compatibleModel('gpt-oss-120b'),
      unnamedModel(openAiModel('my-deployment'), false),
      unnamedModel(openAiModel('my-deployment'), true),
      openAiModel('ft:gpt-5-mini:acme'),
    ])
      expect((['none', 'low', 'max', undefined] as const).map((effort) => effortWord(model, effort))).toEqual([
        'none',
        'low',
        'high',
        undefined,
      ]);
    expect(effortWord(compatibleModel('openai/gpt-6-sol'), 'max')).toBe('max');
  });
});

test('of other services little is assumed: a small window, no price, pictures unless its line has no eyes', () => {
  expect(compatibleModel('mixtral')).toMatchObject({
    limits: { contextTokens: 32_768 },
    price: undefined,
    reasons: false,
  });
  expect(compatibleModel('openai/gpt-oss-120b')).toMatchObject({
    efforts: ['low', 'medium', 'high'],
    accepts: { images: false },
  });
  expect(compatibleModel('qwen3-vl-8b').accepts.images).toBe(true);
  // A gateway has OpenAI's models too, at prices of its own.
  expect(compatibleModel('openai/gpt-6-sol')).toMatchObject({ limits: { contextTokens: 1_050_000 }, price: undefined });
});
