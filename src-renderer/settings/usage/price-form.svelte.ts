import type { PriceRow } from '../../../src-preload/contract/usage.ts';
import type { RouteInput } from '../../ui/bridge.ts';

type GivenPrice = NonNullable<RouteInput<'app', 'usage.setPrice'>['price']>;

/** What is written in the fields of a price. */
export class PriceForm {
  /** Null for a new price, of a model that the user names. */
  readonly row: PriceRow | null;
  key = $state('');
  input = $state('');
  output = $state('');
  cacheRead = $state('');
  cacheWrite = $state('');
  source = $state('');

  constructor(row: PriceRow | null) {
    this.row = row;
    if (row === null) return;
    this.key = row.ownKey ?? row.key;
    if (row.rates === null) return;
    this.input = String(row.rates.input);
    this.output = String(row.rates.output);
    this.cacheRead = String(row.rates.cacheRead);
    this.cacheWrite = String(row.rates.cacheWrite);
    if (row.ownKey !== null) this.source = row.source ?? '';
  }

  /** The first thing that is wrong, or null if nothing is. */
  get problem(): string | null {
    if (!/^[^:]{1,64}:.{1,200}$/.test(this.key.trim()))
      return 'Write the provider, a colon and the model, like openai:gpt-5. An asterisk as the model means all of the provider’s.';
    for (const text of [this.input, this.output])
      if (!isAmount(text)) return 'Write input and output as dollars per million tokens, like 2.50.';
    for (const text of [this.cacheRead, this.cacheWrite])
      if (text.trim() !== '' && !isAmount(text)) return 'Write cache prices as dollars, or leave them empty.';
    return null;
  }

  /** The price. Ask for it only if there is no `problem`. */
  get price(): GivenPrice {
    return {
      input: Number(this.input),
      output: Number(this.output),
      ...(this.cacheRead.trim() === '' ? {} : { cacheRead: Number(this.cacheRead) }),
      ...(this.cacheWrite.trim() === '' ? {} : { cacheWrite: Number(this.cacheWrite) }),
      ...(this.source.trim() === '' ? {} : { source: this.source.trim() }),
    };
  }
}

function isAmount(text: string): boolean {
  return /^\s*\d{1,6}(?:\.\d{1,6})?\s*$/.test(text);
}
