import type { BoundsView, Freedom, FreedomLasts } from '../../../src-preload/contract/bounds.ts';
import { ViewStore } from '../view-store.svelte.ts';

/** What a change is about that is about no folder. */
export const COMMANDS = 'commands';

/** What runs without a question, and where. A change is about a folder, or about `COMMANDS`. */
export class BoundsStore extends ViewStore<BoundsView> {
  /** Loads, and reloads when something changes elsewhere, until the returned function is called. */
  start(): () => void {
    return this.loadOn('settingsChanged');
  }

  protected override ask(): Promise<BoundsView> {
    return this.bridge.request('settings.bounds', {});
  }

  /** Undefined if it isn't known yet, or if the folder is not in effect. */
  freedomIn(path: string): Freedom | undefined {
    return this.view?.folders.find((folder) => folder.path === path)?.freedom;
  }

  /** Resolves with true if it took effect. */
  workFreely(folder: string, lasts: FreedomLasts): Promise<boolean> {
    return this.changeWith(folder, () => this.bridge.request('settings.workFreely', { folder, lasts }));
  }

  askAgain(folder: string): Promise<boolean> {
    return this.changeWith(folder, () => this.bridge.request('settings.askAgain', { folder }));
  }

  askBeforeCommands(isOn: boolean): Promise<boolean> {
    return this.changeWith(COMMANDS, () => this.bridge.request('settings.setAsksBeforeCommands', { isOn }));
  }
}
