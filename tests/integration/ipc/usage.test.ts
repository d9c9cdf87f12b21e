import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ContextWindow, DailyUsageRow, PriceRow, UsageRow } from '../../../src-preload/contract/usage.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

const SONNET = 'anthropic:claude-sonnet-5-5';
const TAKEN = {
  input_tokens: 1_000,
  output_tokens: 10,
  cache_read_input_tokens: 4_000,
  cache_creation_input_tokens: 0,
};

async function rigWithClaude(config: Record<string, unknown> = {}) {
  const api = await startMessagesApi({ answer: () => ({ text: 'Hi.', usage: TAKEN }) });
  onTestFinished(() => api.close());
  const rig = new WindowRig({
    config,
    env: { ANTHROPIC_API_KEY: 'sk-ant-api03-fixture', ANTHROPIC_BASE_URL: api.url },
  });
  const totals = (days = 1) => rig.request<{ rows: DailyUsageRow[]; today: string }>('usage.totals', { days });
  return { rig, totals };
}

test('what a turn took is in the totals of the day, of its conversation and in the exported table', async () => {
  const { rig, totals } = await rigWithClaude();
  expect((await totals()).rows).toEqual([]);
  const { id } = await rig.turn('hello');
  await rig.turn('again', id);
  const other = await rig.turn('something else');

  const { rows, today } = await totals();
  const taken = { requests: 3, input: 3_000, output: 30, cacheRead: 12_000, cacheWrite: 0, unpriced: 0 };
  const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
  expect(rows).toEqual([{ day: today, ...model, ...taken, costUsd: expect.closeTo(0.0075) }]);
  expect(await rig.request<UsageRow[]>('usage.ofConversation', { id })).toMatchObject([{ ...model, requests: 2 }]);
  expect(await rig.request<UsageRow[]>('usage.ofConversation', { id: other.id })).toMatchObject([{ requests: 1 }]);

  const file = join(rig.folder, 'usage.csv');
  rig.chosen.push(file);
  expect(await rig.request('usage.exportCsv', { days: 7 })).toEqual({ path: file });
  const [head, line, end] = readFileSync(file, 'utf8').split('\r\n');
  expect(head).toContain('cost_usd');
  expect(line).toBe(`${today},anthropic,claude-sonnet-5-5,3,3000,30,12000,0,0.007500,0`);
  expect(end).toBe('');
  rig.hasGesture = false;
  expect(await rig.code('usage.exportCsv', { days: 7 })).toBe('no_gesture');
});

test("a price is Steward's own until the user sets another; it counts from the next request on, and can be taken back", async () => {
  const { rig, totals } = await rigWithClaude({
    providers: { work: { type: 'openai', model: 'gpt-x' } },
  });
  await rig.turn('hello');
  const prices = () => rig.request<PriceRow[]>('usage.prices');
  const of = (rows: readonly PriceRow[], key: string) => rows.find((row) => row.key === key);
  expect(of(await prices(), SONNET)).toMatchObject({
    ownKey: null,
    source: expect.stringContaining('https://'),
    date: expect.stringMatching(/^\d{4}-\d{2}/),
  });
  expect(of(await prices(), 'work:gpt-x')).toMatchObject({ ownKey: null });

  const set = await rig.request<PriceRow[]>('usage.setPrice', {
    key: SONNET,
    price: { input: 1_000, output: 0, cacheRead: 0, source: 'contract 17' },
  });
  expect(of(set, SONNET)).toMatchObject({
    ownKey: SONNET,
    rates: { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 1_000 },
    source: 'contract 17',
    date: (await totals()).today,
  });
  const before = (await totals()).rows[0]?.costUsd ?? 0;
  await rig.turn('again');
  expect((await totals()).rows[0]?.costUsd).toBeCloseTo(before + 1);

  const back = await rig.request<PriceRow[]>('usage.setPrice', { key: SONNET, price: null });
  expect(of(back, SONNET)).toMatchObject({ ownKey: null });
  expect(await rig.code('usage.setPrice', { key: 'no colon', price: { input: 1, output: 1 } })).toBe('unusable_price');
  rig.hasGesture = false;
  expect(await rig.code('usage.setPrice', { key: SONNET, price: null })).toBe('no_gesture');
});

test('a model that is named like a formula is a text in the exported table', async () => {
  const model = '=HYPERLINK("https://evil.example";1)';
  const { rig } = await rigWithClaude({ model: `anthropic:${model}` });
  await rig.turn('hello');
  const file = join(rig.folder, 'usage.csv');
  rig.chosen.push(file);
  await rig.request('usage.exportCsv', { days: 1 });
  const [, line] = readFileSync(file, 'utf8').split('\r\n');
  expect(line).toContain(`,"'=HYPERLINK(""https://evil.example"";1)",1,`);
});

test('a request whose price is not known has tokens and no cost', async () => {
  const { rig, totals } = await rigWithClaude({ model: 'anthropic:claude-unheard-of' });
  await rig.turn('hello');
  expect((await totals()).rows).toMatchObject([{ input: 1_000, costUsd: 0, unpriced: 1 }]);
  const prices = await rig.request<PriceRow[]>('usage.prices');
  expect(prices).toMatchObject([{ key: 'anthropic:claude-unheard-of', rates: null }]);
});

test('the context window is that of the model that answers next, or what its settings say', async () => {
  const { rig } = await rigWithClaude();
  const context = () => rig.request<ContextWindow | null>('usage.context');
  expect(await context()).toEqual({ model: 'claude-sonnet-5-5', tokens: 1_000_000, compactAbove: 697_600 });
  await rig.request('settings.chooseModel', { specification: 'guide' });
  expect(await context()).toBeNull();
  await rig.close();

  const other = new WindowRig({
    config: {
      model: 'anthropic:claude-haiku-4-5',
      providers: { anthropic: { type: 'anthropic', model: 'x', contextTokens: 40_000 } },
    },
  });
  expect(await other.request<ContextWindow>('usage.context')).toMatchObject({ tokens: 40_000, compactAbove: 24_000 });
});
