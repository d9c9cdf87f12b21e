import type { TableCard } from '../../../src-preload/contract/tool-card.ts';
import { isRecord } from '../../base/json.ts';
import { usdFromCents } from './cost-in-usd.ts';
import type { UsageAction } from './usage-request.ts';

/** Longer tables are left to the result's text. */
const MAX_ROWS = 200;

type Bag = Readonly<Record<string, unknown>>;
type Cell = string | number | null;
type Column = TableCard['columns'][number];

/** A report of the Admin API (before its costs are dollars) as a table, with one bar per time bucket. */
export function usageCard(action: UsageAction, report: unknown, groupBy: readonly string[]): TableCard {
  const data = recordsOf(isRecord(report) ? report.data : undefined);
  if (action === 'usage') return tokenTable(data, groupBy);
  return action === 'cost' ? costTable(data, groupBy) : claudeCodeTable(data);
}

const TOKEN_KINDS: readonly (readonly [string, (result: Bag) => number])[] = [
  ['Input', (result) => number(result.uncached_input_tokens)],
  ['Cache write', (result) => sumOf(Object.values(bag(result.cache_creation)).map(number))],
  ['Cache read', (result) => number(result.cache_read_input_tokens)],
  ['Output', (result) => number(result.output_tokens)],
];

function tokenTable(buckets: readonly Bag[], groupBy: readonly string[]): TableCard {
  const tokens = (result: Bag) => TOKEN_KINDS.map(([, count]) => count(result));
  return {
    kind: 'table',
    title: 'Token usage',
    columns: [text('Start'), ...groupBy.map(labelOf), ...TOKEN_KINDS.map(([label]) => numeric(label))],
    rows: rowsOf(buckets, groupBy, tokens),
    chart: chartOf(buckets, 'Tokens', 'tokens', (results) => sumOf(results.flatMap(tokens))),
  };
}

function costTable(buckets: readonly Bag[], groupBy: readonly string[]): TableCard {
  return {
    kind: 'table',
    title: 'Cost',
    columns: [text('Start'), ...groupBy.map(labelOf), numeric('US dollars')],
    rows: rowsOf(buckets, groupBy, (result) => [usd(number(result.amount))]),
    chart: chartOf(buckets, 'Cost', 'usd', (results) => usd(sumOf(results.map(({ amount }) => number(amount))))),
  };
}

const ACTIVITY: readonly (readonly [string, (row: Bag) => number])[] = [
  ['Sessions', (row) => number(bag(row.core_metrics).num_sessions)],
  ['Lines added', (row) => number(bag(bag(row.core_metrics).lines_of_code).added)],
  ['Lines removed', (row) => number(bag(bag(row.core_metrics).lines_of_code).removed)],
  ['Commits', (row) => number(bag(row.core_metrics).commits_by_claude_code)],
  ['Pull requests', (row) => number(bag(row.core_metrics).pull_requests_by_claude_code)],
  ['US dollars', (row) => usd(sumOf(recordsOf(row.model_breakdown).map((m) => number(bag(m.estimated_cost).amount))))],
];

/** One row per person or API key: the API returns one per terminal. */
function claudeCodeTable(records: readonly Bag[]): TableCard {
  const byActor = new Map<string, Bag[]>();
  for (const record of records) {
    const actor = bag(record.actor);
    const name = String(actor.email_address ?? actor.api_key_name ?? 'unknown');
    byActor.set(name, [...(byActor.get(name) ?? []), record]);
  }
  return {
    kind: 'table',
    title: 'Claude Code usage',
    columns: [text('Who'), ...ACTIVITY.map(([label]) => numeric(label))],
    rows: [...byActor]
      .slice(0, MAX_ROWS)
      .map(([name, rows]) => [name, ...ACTIVITY.map(([, count]) => roundedToCents(sumOf(rows.map(count))))]),
  };
}

function rowsOf(
  buckets: readonly Bag[],
  groupBy: readonly string[],
  values: (result: Bag) => readonly Cell[],
): Cell[][] {
  const rows = buckets.flatMap((bucket) =>
    recordsOf(bucket.results).map((result) => [
      startOf(bucket),
      ...groupBy.map((field) => (typeof result[field] === 'string' ? result[field] : null)),
      ...values(result),
    ]),
  );
  return rows.slice(0, MAX_ROWS);
}

function chartOf(
  buckets: readonly Bag[],
  label: string,
  unit: 'usd' | 'tokens',
  value: (results: readonly Bag[]) => number,
): NonNullable<TableCard['chart']> {
  const points = buckets.map((bucket) => ({ label: startOf(bucket), value: value(recordsOf(bucket.results)) }));
  return { label, unit, points };
}

/** `2025-08-01`, with the time if a bucket does not begin at midnight. */
function startOf(bucket: Bag): string {
  return String(bucket.starting_at ?? '')
    .replace(/T00:00:00(?:\.0+)?Z$/, '')
    .replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/, '$1 $2');
}

function usd(cents: number): number {
  return Number(usdFromCents(String(cents)) ?? 0);
}

/** Sums of dollar amounts, each in whole cents. */
function roundedToCents(sum: number): number {
  return Math.round(sum * 100) / 100;
}

function text(label: string): Column {
  return { label, isNumber: false };
}

function numeric(label: string): Column {
  return { label, isNumber: true };
}

function labelOf(field: string): Column {
  const words = field.replaceAll('_', ' ');
  return text(words.charAt(0).toUpperCase() + words.slice(1));
}

/** The number in a lossless-json number or a decimal text; anything else counts as 0. */
function number(value: unknown): number {
  const parsed = Number(String(value));
  return Number.isFinite(parsed) ? parsed : 0;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function bag(value: unknown): Bag {
  return isRecord(value) ? value : {};
}

function recordsOf(value: unknown): readonly Bag[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
