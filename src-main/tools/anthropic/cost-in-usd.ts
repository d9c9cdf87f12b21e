import { isRecord } from '../../base/json.ts';

/**
 * Converts a report (as parsed by lossless-json) to dollars: every object at any depth with `amount` in cents and
 * `currency` gets `amount_usd` instead of `amount`. An amount that is not a number is left unchanged. Source: tool
 * catalogue B.7.
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

/** Limits keep the arithmetic small; no real amount comes near them. */
const DECIMAL = /^([+-]?)(\d{0,60})(?:\.(\d{0,60}))?(?:e([+-]?\d{1,2}))?$/i;

/**
 * Converts a decimal number of cents to dollars, rounded to whole cents, half away from zero, as the shortest decimal
 * number that JSON can hold: `12345.67` becomes `123.46`, and `250` becomes `2.5`. Undefined if it is not a decimal
 * number. It uses integers, because in floating point 0.5 cents would be less than half. Source: tool catalogue B.7.
 */
export function usdFromCents(cents: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(cents.trim()) ?? [];
  const digits = whole + fraction;
  if (sign === undefined || digits === '') return undefined;
  const hundredths = rounded(BigInt(digits), fraction.length - Number(exponent));
  const shown = String(hundredths).padStart(3, '0');
  const decimals = shown.slice(-2).replace(/(?<!0)0+$/, '');
  const usd = shown.slice(0, -2) + (decimals === '' ? '' : `.${decimals}`);
  return sign === '-' && hundredths !== 0n ? `-${usd}` : usd;
}

/** `digits` divided by 10 to the power of `places`, rounded half up (there is no sign). */
function rounded(digits: bigint, places: number): bigint {
  if (places <= 0) return digits * 10n ** BigInt(-places);
  const divisor = 10n ** BigInt(places);
  return (digits * 2n + divisor) / (divisor * 2n);
}
