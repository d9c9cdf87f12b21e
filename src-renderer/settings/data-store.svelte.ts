import type { UndoLimits } from '../../src-preload/contract/settings.ts';
import type { RouteOutput } from '../ui/bridge.ts';
import { BridgeStore } from '../ui/bridge-store.svelte.ts';

/** The places where data is stored, and its backups. */
export class DataStore extends BridgeStore {
  view = $state.raw<RouteOutput<'app', 'settings.data'> | null>(null);
  isBackingUp = $state(false);
  /** The result of the last action, as a sentence. */
  done = $state<string | null>(null);

  async load(): Promise<void> {
    await this.#try(async () => {
      this.view = await this.bridge.request('settings.data', {});
    });
  }

  async makeBackup(): Promise<void> {
    this.isBackingUp = true;
    await this.#try(async () => {
      const known = new Set(this.view?.backups.map(({ name }) => name));
      this.view = await this.bridge.request('settings.makeBackup', {});
      const isNew = this.view.backups.some(({ name }) => !known.has(name));
      this.done = isNew
        ? 'The backup was created and verified.'
        : 'There is already a backup from today. One per day is kept.';
    });
    this.isBackingUp = false;
  }

  async setUndoLimits(limits: UndoLimits): Promise<void> {
    await this.#try(async () => {
      this.view = await this.bridge.request('settings.setUndoLimits', limits);
    });
  }

  async showFolder(): Promise<void> {
    await this.#try(() => this.bridge.request('settings.showProfileFolder', {}));
  }

  async exportConversation(id: string, format: 'markdown' | 'json'): Promise<void> {
    await this.#try(async () => {
      const saved = await this.bridge.request('conversations.export', { id, format });
      if (saved !== null) this.done = `Saved as ${saved.path}`;
    });
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    this.done = null;
    await this.attempted(work);
  }
}
