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
