import { z } from 'zod';
import type { TokenUsage } from './events.ts';
import { request } from './route.ts';

/** What requests to one model took. */
export interface UsageRow extends TokenUsage {
  /** The provider's name in config.json. */
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
  /** US dollars, of the requests whose cost is known. */
  readonly costUsd: number;
  /** Requests whose cost is not known. */
  readonly unpriced: number;
}

export interface DailyUsageRow extends UsageRow {
  /** `2026-11-23`, in the user's own calendar. */
  readonly day: string;
}

/** US dollars per million tokens. */
export interface ShownRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What a model costs. */
export interface PriceRow {
  /** `anthropic:claude-sonnet-5-5`; the key in config.json's `prices` under which a change is kept. */
  readonly key: string;
  /** Null if the prices are not known. Requests to the model then show tokens and no cost. */
  readonly rates: ShownRates | null;
  /** The rates for requests with a longer prompt. */
  readonly longPrompt: (ShownRates & { readonly overTokens: number }) | null;
  /** Where the rates were found, mostly the address of a page. */
  readonly source: string | null;
  /** The date of the prices, such as `2026-11-23` or `2026-11`. */
  readonly date: string | null;
  /** The entry of config.json that the price is from. Null if it is from Steward's own table, or not known. */
  readonly ownKey: string | null;
}

/** The context window of the model that answers next. Null if it has none, like the Guide. */
export interface ContextWindow {
  /** The model's name for people. */
  readonly model: string;
  /** Tokens of input and output together. */
  readonly tokens: number;
  /** From this many tokens on, older messages are summarised before the next request. */
  readonly compactAbove: number;
}

const dollars = z.number().min(0).max(1_000_000);
const Days = z.object({ days: z.union([z.literal(1), z.literal(7), z.literal(30)]) });

export const usage = {
  /** The latest day first. `today` is the last of the days. */
  totals: request(Days).returns<{ readonly today: string; readonly rows: readonly DailyUsageRow[] }>(),
  ofConversation: request(z.object({ id: z.uuid() })).returns<readonly UsageRow[]>(),
  /** Asks where to save the file. The answer is null if the user cancelled. */
  exportCsv: request(Days).returns<{ readonly path: string } | null>(),
  /** Prices of the models that were used lately, are configured or have a price of the user's own. */
  prices: request(z.object({})).returns<readonly PriceRow[]>(),
  /** Sets the user's own price, or with `null` removes it. Counts from the next request on. */
  setPrice: request(
    z.object({
      key: z.string().trim().max(265),
      price: z
        .object({
          input: dollars,
          output: dollars,
          cacheRead: dollars.optional(),
          cacheWrite: dollars.optional(),
          source: z.string().trim().max(500).optional(),
        })
        .nullable(),
    }),
  ).returns<readonly PriceRow[]>(),
  context: request(z.object({})).returns<ContextWindow | null>(),
};
