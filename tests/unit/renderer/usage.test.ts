import { describe, expect, test } from 'vitest';
import type { ToolGroupRow } from '../../../src-preload/contract/settings.ts';
import type { DailyUsageRow, PriceRow } from '../../../src-preload/contract/usage.ts';
import { fillOf, meterText } from '../../../src-renderer/chat/composer/context-meter.ts';
import { groupsIn, groupTokensText } from '../../../src-renderer/settings/tool-texts.ts';
import { PriceForm } from '../../../src-renderer/settings/usage/price-form.svelte.ts';
import { sourceText } from '../../../src-renderer/settings/usage/price-texts.ts';
import { dailyUsageCard, unpricedText, usageSum } from '../../../src-renderer/tool-cards/usage-card.ts';
import { costAtLeastText, costText, tokensText } from '../../../src-renderer/ui/amounts.ts';

const row = (day: string, more: Partial<DailyUsageRow> = {}): DailyUsageRow => ({
  day,
  provider: 'anthropic',
  model: 'sonnet',
  requests: 2,
  input: 1_000,
  output: 100,
  cacheRead: 3_000,
  cacheWrite: 0,
  costUsd: 0.5,
  unpriced: 0,
  ...more,
});

describe('amounts', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [9_940, '9.9k'],
    [9_960, '10k'],
    [999_400, '999k'],
    [999_600, '1M'],
    [1_250_000, '1.3M'],
  ])('%d tokens: %s', (count, text) => expect(tokensText(count)).toBe(text));

  test.each([
    [0, '$0'],
    [0.004, '<\u00a0$0.01'],
    [0.0213, '$0.021'],
    [1.5, '$1.50'],
    [1_234.5, '$1,234.50'],
  ])('%d dollars: %s', (usd, text) => expect(costText(usd)).toBe(text));

  test.each([
    [0.0002, null],
    [0.0047, 'at least $0.004'],
    [0.0219, 'at least $0.021'],
    [1.5, 'at least $1.50'],
  ])('%d dollars known of more: %s', (usd, text) => expect(costAtLeastText(usd)).toBe(text));
});

describe('the table of usage', () => {
  test('has a bar for each day of the period, also those without usage, and none for one day', () => {
    const rows = [row('2026-03-01'), row('2026-02-27', { costUsd: 1.5 }), row('2026-02-27', { model: 'haiku' })];
    const { chart } = dailyUsageCard(rows, 7, '2026-03-02');
    expect(chart?.points.map(({ value }) => value)).toEqual([0, 0, 0, 2, 0, 0.5, 0].slice(0, 7));
    expect(dailyUsageCard(rows, 1, '2026-03-02').chart).toBeUndefined();
  });

  test('shows tokens where no cost is known, and says that the sum is not all', () => {
    const unpriced = row('2026-03-01', { model: 'qwen3', costUsd: 0, unpriced: 2 });
    expect(dailyUsageCard([unpriced], 7, '2026-03-01').chart?.unit).toBe('tokens');
    expect(dailyUsageCard([unpriced], 7, '2026-03-01').rows[0]?.at(-1)).toBeNull();
    expect(usageSum([unpriced])).toMatch(/^Cost not known/);
    expect(usageSum([unpriced, row('2026-03-01')])).toMatch(/^At least \$0\.50/);
    expect(usageSum([unpriced, row('2026-03-01', { costUsd: 0.0004 })])).toMatch(/^Cost not known/);
    expect(unpricedText([unpriced])).toContain('qwen3');
    expect(unpricedText([row('2026-03-01')])).toBeUndefined();
  });
});

describe('the form of a price', () => {
  const known: PriceRow = {
    key: 'anthropic:sonnet',
    longPrompt: null,
    source: 'https://vendor.example',
    date: '2026-11',
    ownKey: null,
    rates: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  };

  test('begins with the price that counts, but not with the vendor’s source, since the new one is the user’s', () => {
    const form = new PriceForm(known);
    expect(form.problem).toBeNull();
    expect(form.price).toEqual({ input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 });
  });

  test.each([
    [{ key: 'gpt-5' }, true],
    [{ key: 'openai:*' }, false],
    [{ input: '' }, true],
    [{ input: '-1' }, true],
    [{ output: '1e3' }, true],
    [{ cacheRead: '', cacheWrite: ' ' }, false],
    [{ cacheRead: 'free' }, true],
  ])('%o is wrong: %s', (written, isWrong) => {
    const form = Object.assign(new PriceForm(known), written);
    expect(form.problem !== null).toBe(isWrong);
  });

  test('a row says whose price it is', () => {
    const texts = [
      known,
      { ...known, ownKey: 'anthropic:sonnet', date: '2026-11-23' },
      { ...known, ownKey: 'anthropic:*' },
    ].map(sourceText);
    expect(texts[0]).toMatch(/^From vendor\.example, November 2026$/);
    expect(texts[1]).toMatch(/^Your price, from vendor\.example/);
    expect(texts[2]).toMatch(/^Your price of anthropic:\*/);
  });
});

describe('the context meter', () => {
  const context = { model: 'sonnet', tokens: 200_000, compactAbove: 100_000 };

  test('warns before older messages are summarised', () => {
    expect(fillOf(89_000, context)).toMatchObject({ share: 0.445, compactAt: 0.5, isNearlyFull: false });
    expect(fillOf(90_000, context).isNearlyFull).toBe(true);
  });

  test('says how full it is and what happens', () => {
    expect(meterText(12_345, context)).toContain('12k of 200k');
    expect(meterText(12_345, context)).toContain('From 100k on');
    expect(meterText(120_000, context)).toContain('before the next answer');
  });
});

describe('groups of tools', () => {
  const group = (id: string): ToolGroupRow => ({
    id,
    title: id,
    isServer: false,
    isCollapsed: false,
    tokens: { open: 1_940, collapsed: 92 },
  });
  const tool = (name: string, of?: string) => ({
    name,
    title: name,
    description: '',
    access: 'read',
    isEnabled: true,
    ...(of === undefined ? {} : { group: of }),
  });

  test('tools are shown by group, those in none last, and empty groups not at all', () => {
    const shown = groupsIn([tool('x'), tool('b', 'two'), tool('c', 'gone')], [group('one'), group('two')]);
    expect(shown.map((each) => [each.group?.id, each.tools.map(({ name }) => name)])).toEqual([
      ['two', ['b']],
      [undefined, ['x', 'c']],
    ]);
  });

  test('what collapsing saves is rounded, as an estimate is', () => {
    expect(groupTokensText({ open: 1_940, collapsed: 92 }, false)).toMatch(/1,900.*90/);
    expect(groupTokensText({ open: 1_940, collapsed: 92 }, true)).toMatch(/90.*1,900/);
    expect(groupTokensText({ open: 60, collapsed: 92 }, false)).toContain('saves nothing');
  });
});
