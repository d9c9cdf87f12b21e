import type { TokenUsage } from '../../src-preload/contract/events.ts';
import type { ModelPrice } from './provider.ts';

/** US dollars for one request. `undefined` if the price is unknown; then no cost is shown. */
export function costUsd(usage: TokenUsage, price: ModelPrice | undefined): number | undefined {
  if (price === undefined) return undefined;
  const promptTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const isLong = price.longPrompt !== undefined && promptTokens > price.longPrompt.overTokens;
  const rates = isLong && price.longPrompt ? price.longPrompt : price;
  return (
    (usage.input * rates.input +
      usage.output * rates.output +
      usage.cacheRead * rates.cacheRead +
      usage.cacheWrite * rates.cacheWrite) /
    1_000_000
  );
}
