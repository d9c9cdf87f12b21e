import type { TableCard } from '../../src-preload/contract/tool-card.ts';
import type { DailyUsageRow, UsageRow } from '../../src-preload/contract/usage.ts';
import { cachedShare, inputOf } from '../conversation/turn-usage.ts';
import { costAtLeastText, costText, counted, tokensText } from '../ui/amounts.ts';

/** What was used, as a table, and over more than one day as a chart. */

const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const MS_PER_DAY = 86_400_000;

/** `2026-11-23` → `Mon, 23 Nov`. */
export function dayText(day: string): string {
  return DAY.format(new Date(`${day}T12:00:00`));
}

/** `today` is the last of the days. */
export function dailyUsageCard(rows: readonly DailyUsageRow[], days: number, today: string): TableCard {
  const chart = days === 1 ? undefined : chartOf(rows, daysUntil(today, days));
  return {
    ...usageCard(rows, 'By day, provider and model', (row) => [dayText(row.day)], ['Day']),
    ...(chart === undefined ? {} : { chart }),
  };
}

export function conversationUsageCard(rows: readonly UsageRow[]): TableCard {
  return usageCard(rows, 'By provider and model');
}

function usageCard<R extends UsageRow>(
  rows: readonly R[],
  title: string,
  first: (row: R) => readonly string[] = () => [],
  firstLabels: readonly string[] = [],
): TableCard {
  const texts = [...firstLabels, 'Provider', 'Model'].map((label) => ({ label, isNumber: false }));
  const numbers = ['Requests', 'In', 'Cached', 'Out', 'Cost'].map((label) => ({ label, isNumber: true }));
  return {
    kind: 'table',
    title,
    columns: [...texts, ...numbers],
    rows: rows.map((row) => [
      ...first(row),
      row.provider,
      row.model,
      row.requests.toLocaleString('en'),
      tokensText(inputOf(row)),
      cachedShare(row),
      tokensText(row.output),
      rowCost(row),
    ]),
  };
}

/** One line over all rows: `$1.20 · 120k in, 80% cached · 4.1k out · 34 requests`. */
export function usageSum(rows: readonly UsageRow[]): string {
  const sum = {
    input: total(rows, ({ input }) => input),
    output: total(rows, ({ output }) => output),
    cacheRead: total(rows, ({ cacheRead }) => cacheRead),
    cacheWrite: total(rows, ({ cacheWrite }) => cacheWrite),
  };
  const requests = total(rows, (row) => row.requests);
  const unpriced = total(rows, (row) => row.unpriced);
  const costUsd = total(rows, (row) => row.costUsd);
  return [
    (unpriced === 0 ? costText(costUsd) : costAtLeastText(costUsd)?.replace(/^a/, 'A')) ?? 'Cost not known',
    `${tokensText(inputOf(sum))} in, ${cachedShare(sum)} cached`,
    `${tokensText(sum.output)} out`,
    counted(requests, 'request'),
  ].join(' · ');
}

/** Undefined if every cost is known. */
export function unpricedText(rows: readonly UsageRow[]): string | undefined {
  const models = [...new Set(rows.flatMap(({ unpriced, model }) => (unpriced > 0 ? [model] : [])))];
  if (models.length === 0) return undefined;
  const named =
    models.length > 3 ? `${models.slice(0, 3).join(', ')} and ${models.length - 3} more` : models.join(', ');
  return `Some requests to ${named} have no known price, so they aren’t in the cost. A price you set applies from then on.`;
}

function chartOf(rows: readonly DailyUsageRow[], days: readonly string[]): TableCard['chart'] {
  const inDollars = rows.some(({ costUsd }) => costUsd > 0);
  const amountOf = (row: DailyUsageRow) => (inDollars ? row.costUsd : inputOf(row) + row.output);
  return {
    label: inDollars ? 'Cost per day' : 'Tokens per day',
    unit: inDollars ? 'usd' : 'tokens',
    points: days.map((day) => ({
      label: dayText(day),
      value: total(
        rows.filter((row) => row.day === day),
        amountOf,
      ),
    })),
  };
}

function daysUntil(today: string, count: number): readonly string[] {
  const last = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * MS_PER_DAY).toISOString().slice(0, 10),
  );
}

function rowCost({ costUsd, unpriced, requests }: UsageRow): string | null {
  if (unpriced === requests) return null;
  return unpriced === 0 ? costText(costUsd) : costAtLeastText(costUsd);
}

function total<R>(rows: readonly R[], amountOf: (row: R) => number): number {
  return rows.reduce((sum, row) => sum + amountOf(row), 0);
}
