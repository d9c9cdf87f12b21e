import type { PriceRow } from '../../../src-preload/contract/usage.ts';
import { type RouteInput, type RouteOutput, sentenceOf } from '../../ui/bridge.ts';
import { BridgeStore } from '../../ui/bridge-store.svelte.ts';

export type Period = 1 | 7 | 30;
type GivenPrice = RouteInput<'app', 'usage.setPrice'>['price'];

/** What models took, and what they cost. */
export class UsageStore extends BridgeStore {
  period: Period = $state(7);
  totals = $state.raw<(RouteOutput<'app', 'usage.totals'> & { readonly days: Period }) | null>(null);
  prices = $state.raw<readonly PriceRow[] | null>(null);
  /** The result of the last action, as a sentence. */
  done = $state<string | null>(null);

  async load(): Promise<void> {
    await this.#try(async () => {
      await this.#loadTotals();
      this.prices = await this.bridge.request('usage.prices', {});
    });
  }

  async show(period: Period): Promise<void> {
    this.period = period;
    await this.#try(() => this.#loadTotals());
  }

  async exportCsv(): Promise<void> {
    await this.#try(async () => {
      const saved = await this.bridge.request('usage.exportCsv', { days: this.period });
      if (saved !== null) this.done = `Saved as ${saved.path}`;
    });
  }

  /** Sets the user's own price, or removes it with null. Resolves with why it was not saved, or with null if it was. */
  async setPrice(key: string, price: GivenPrice): Promise<string | null> {
    try {
      this.prices = await this.bridge.request('usage.setPrice', { key, price });
      return null;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  async #loadTotals(): Promise<void> {
    const { period } = this;
    const totals = await this.bridge.request('usage.totals', { days: period });
    if (period === this.period) this.totals = { ...totals, days: period };
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    this.done = null;
    await this.attempted(work);
  }
}
