import type { AppEvents } from '../../src-preload/contract/index.ts';
import { BridgeStore } from '../ui/bridge-store.svelte.ts';

/** What main reports about one thing. `failure`: why it can't be shown. */
export abstract class LoadedView<View> extends BridgeStore {
  view = $state.raw<View | null>(null);

  protected abstract ask(): Promise<View>;

  async load(): Promise<void> {
    await this.attempted(async () => {
      this.view = await this.ask();
    });
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
