import type { ContextWindow } from '../../src-preload/contract/usage.ts';
import type { Bridge } from '../ui/bridge.ts';

/** The window of the model that answers next. */
export class NextContextWindow {
  /** Null if the model has none, or none is known. */
  current: ContextWindow | null = $state.raw(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** A model that can't be used says so when a message is sent; here it has no window. */
  async read(): Promise<void> {
    this.current = await this.#bridge.request('usage.context', {}).catch(() => null);
  }
}
