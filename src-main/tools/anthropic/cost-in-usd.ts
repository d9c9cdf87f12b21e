import { isRecord } from '../../base/json.ts';
import { usdFromCents } from './usd-from-cents.ts';

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
