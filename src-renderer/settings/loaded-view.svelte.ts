import type { AppEvents } from '../../src-preload/contract/index.ts';
import { type Bridge, sentenceOf } from '../ui/bridge.ts';

/** What main reports about one thing. */
export abstract class LoadedView<View> {
  view = $state.raw<View | null>(null);
  /** Why it can't be shown. */
  failure = $state<string | null>(null);
  protected readonly bridge: Bridge;

  constructor(bridge: Bridge) {
    this.bridge = bridge;
  }

  protected abstract ask(): Promise<View>;

  async load(): Promise<void> {
    try {
      this.view = await this.ask();
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  /** Loads, now and whenever main tells one of these, until the returned function is called. */
  protected loadOn(...names: readonly (keyof AppEvents)[]): () => void {
    void this.load();
    const ends = names.map((name) => this.bridge.on(name, () => void this.load()));
    return () => {
      for (const end of ends) end();
    };
  }
}
