export { sizeText } from '../../src-preload/contract/size-text.ts';

/** `1 file`, `1,200 matches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `831`, `4.1k`, `120k`, `1.2M`. */
export function tokensText(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value.toFixed(value < 9.95 ? 1 : 0).replace(/\.0$/, '')}${unit}`;
}

/** A cost that is known only in part, rounded down: `at least $0.021`. Null if too little is known to say so. */
export function costAtLeastText(usd: number): string | null {
  const known = Math.floor(usd * 1_000) / 1_000;
  if (known === 0) return null;
  return `at least ${known < 0.01 ? `$${known.toFixed(3)}` : costText(known)}`;
}

/** Amounts below a cent are shown as `< $0.01`, in one piece: four digits would look exact. */
export function costText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.01) return '<\u00a0$0.01';
  return `$${usd < 1 ? usd.toFixed(3) : usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
