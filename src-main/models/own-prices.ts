import { ownValue } from '../base/json.ts';
import type { ModelPrice } from './provider.ts';

/** One entry of `prices` in config.json, in US dollars per million tokens. */
export interface OwnPrice {
  readonly input: number;
  readonly output: number;
  /** The same as `input` if it is absent. */
  readonly cacheRead?: number;
  /** The same as `input` if it is absent. */
  readonly cacheWrite?: number;
  /** The place where the price was found, mostly the address of a page. */
  readonly source?: string;
  /** The day on which the price was found: `2026-11-23`. */
  readonly date?: string;
}

export interface PricedModel {
  /** The provider's name in config.json. */
  readonly provider: string;
  readonly type: string;
  readonly model: string;
}

/**
 * Returns the key of the entry that a model's price comes from: `name:model` comes before `type:model`, and an exact
 * model before `*` (all of the provider's). Letter case does not matter. Returns `undefined` if there is none.
 */
export function ownPriceKey(
  { provider, type, model }: PricedModel,
  prices: Readonly<Record<string, OwnPrice>>,
): string | undefined {
  const keys = new Map(Object.keys(prices).map((key) => [key.trim().toLowerCase(), key]));
  const wanted = [`${provider}:${model}`, `${type}:${model}`, `${provider}:*`, `${type}:*`];
  return wanted.flatMap((key) => keys.get(key.toLowerCase()) ?? [])[0];
}

export function ownPrice(model: PricedModel, prices: Readonly<Record<string, OwnPrice>>): ModelPrice | undefined {
  const key = ownPriceKey(model, prices);
  const price = key === undefined ? undefined : ownValue(prices, key);
  return price && { ...price, cacheRead: price.cacheRead ?? price.input, cacheWrite: price.cacheWrite ?? price.input };
}
