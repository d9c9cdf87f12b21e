import type { PriceRow, ShownRates } from '../../../src-preload/contract/usage.ts';

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The rates in one line: `$2 in · $10 out · $0.10 from the cache · $2.50 into the cache`. */
export function ratesText({ input, output, cacheRead, cacheWrite }: ShownRates): string {
  return `${dollars(input)} in · ${dollars(output)} out · ${dollars(cacheRead)} from the cache · ${dollars(cacheWrite)} into the cache`;
}

export function longPromptText({ overTokens, ...rates }: NonNullable<PriceRow['longPrompt']>): string {
  return `For requests with more than ${overTokens.toLocaleString('en')} tokens: ${ratesText(rates)}`;
}

/** Says whose price it is, where it was found and when. */
export function sourceText({ ownKey, key, source, date }: PriceRow): string {
  const whose =
    ownKey === null ? [] : [ownKey.toLowerCase() === key.toLowerCase() ? 'Your price' : `Your price of ${ownKey}`];
  const found = source === null ? [] : [`${ownKey === null ? 'From' : 'from'} ${source.replace(/^https:\/\//, '')}`];
  return [...whose, ...found, ...(date === null ? [] : [dateText(date)])].join(', ');
}

/** Formats `2026-11-23` or `2026-11`. */
function dateText(date: string): string {
  const isMonth = /^\d{4}-\d{2}$/.test(date);
  return (isMonth ? MONTH : DATE).format(new Date(isMonth ? `${date}-15T12:00:00` : `${date}T12:00:00`));
}

function dollars(amount: number): string {
  const digits = amount === 0 || Number.isInteger(amount) ? 0 : 2;
  return `$${amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: 6 })}`;
}
