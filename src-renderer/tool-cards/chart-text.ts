import type { TableCard } from '../../src-preload/contract/tool-card.ts';

type Unit = NonNullable<TableCard['chart']>['unit'];

/** `$4.10`, `12.4k tokens`, `831`. Amounts below a cent are shown as `< $0.01`. */
export function amountText(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return '–';
  if (unit === 'usd') {
    if (value > 0 && value < 0.01) return '<\u00a0$0.01';
    return `${value < 0 ? '−' : ''}$${Math.abs(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  }
  const count = shortCount(value);
  if (unit === 'count') return count;
  return `${count} ${value === 1 ? 'token' : 'tokens'}`;
}

function shortCount(value: number): string {
  return value.toLocaleString('en', {
    notation: Math.abs(value) < 10_000 ? 'standard' : 'compact',
    maximumFractionDigits: 1,
  });
}

/** Minimum fraction digits of a column, so that amounts of money align. */
export function leastDigits(cells: readonly (string | number | null)[]): number {
  return cells.some((cell) => typeof cell === 'number' && !Number.isInteger(cell)) ? 2 : 0;
}

/** Unknown values are shown as a dash. Numbers are rounded as far as a table needs. */
export function cellText(cell: string | number | null, digits: number): string {
  if (cell === null) return '–';
  return typeof cell === 'number'
    ? cell.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: 4 })
    : cell;
}

/** Height of each bar between 0 and 1. Negative values get no height. */
export function barHeights(values: readonly number[]): readonly number[] {
  const known = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const highest = known.reduce((most, value) => Math.max(most, value), 0);
  return known.map((value) => (highest === 0 ? 0 : value / highest));
}
