import { isRecord } from '../../base/json.ts';

/**
 * A report (as lossless-json parses it) in dollars: every object at any depth that has `amount` in cents and `currency` gets
 * `amount_usd` in place of `amount`. An amount that is no number is left alone. Source: tool catalogue B.7.
 */
export async function costInUsd(report: unknown): Promise<unknown> {
  const { LosslessNumber, isLosslessNumber } = await import('lossless-json');
  const inUsd = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inUsd);
    if (!isRecord(value) || isLosslessNumber(value)) return value;
    const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, inUsd(inner)]);
    const { amount } = value;
    const isAmount = Object.hasOwn(value, 'currency') && (typeof amount === 'string' || isLosslessNumber(amount));
    const usd = isAmount ? usdFromCents(String(amount)) : undefined;
    if (usd === undefined) return Object.fromEntries(entries);
    const others = entries.filter(([name]) => name !== 'amount' && name !== 'amount_usd');
    return Object.fromEntries([...others, ['amount_usd', new LosslessNumber(usd)]]);
  };
  return inUsd(report);
}

/** Bounds keep the arithmetic small; no amount of money comes near them. */
const DECIMAL = /^([+-]?)(\d{0,60})(?:\.(\d{0,60}))?(?:e([+-]?\d{1,2}))?$/i;

/**
 * Dollars of a decimal number of cents, rounded to whole cents, half away from zero, as the shortest decimal number that JSON
 * can hold: `12345.67` → `123.46`, `250` → `2.5`. Reckoned in whole numbers: in floating point 0.5 cents would be less than
 * half. `undefined`: it is no decimal number. Source: tool catalogue B.7.
 */
export function usdFromCents(cents: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(cents.trim()) ?? [];
  const digits = whole + fraction;
  if (sign === undefined || digits === '') return undefined;
  const hundredths = rounded(BigInt(digits), fraction.length - Number(exponent));
  const shown = String(hundredths).padStart(3, '0');
  const decimals = shown.slice(-2).replace(/0+$/, '');
  const usd = shown.slice(0, -2) + (decimals === '' ? '' : `.${decimals}`);
  return sign === '-' && hundredths !== 0n ? `-${usd}` : usd;
}

/** `digits` divided by 10 to the power of `places`, half up (it has no sign). */
function rounded(digits: bigint, places: number): bigint {
  if (places <= 0) return digits * 10n ** BigInt(-places);
  const divisor = 10n ** BigInt(places);
  return (digits * 2n + divisor) / (divisor * 2n);
}
