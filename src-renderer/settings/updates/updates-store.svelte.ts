import type { UpdatesView } from '../../../src-preload/contract/updates.ts';
import { ViewStore } from '../view-store.svelte.ts';

/** What a user can do about updates. */
export type UpdateAction = 'setOn' | 'check' | 'dismiss' | 'download' | 'cancel' | 'restart' | 'openPage';

/** New versions of Steward, as reported by main. */
export class UpdatesStore extends ViewStore<UpdatesView, UpdateAction> {
  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.load();
    return this.follow();
  }

  /** Asks for nothing, because main tells when there is something to know. */
  follow(): () => void {
    return this.bridge.on('updates', (view) => {
      this.view = view;
      this.failure = null;
    });
  }

  protected override ask(): Promise<UpdatesView> {
    return this.bridge.request('updates.get', {});
  }

  setOn(isOn: boolean): Promise<boolean> {
    return this.changeWith('setOn', () => this.bridge.request('updates.setOn', { isOn }));
  }

  check(): Promise<boolean> {
    return this.changeWith('check', () => this.bridge.request('updates.check', {}));
  }

  dismiss(): Promise<boolean> {
    return this.changeWith('dismiss', () => this.bridge.request('updates.dismiss', {}));
  }

  download(): Promise<boolean> {
    return this.changeWith('download', () => this.bridge.request('updates.download', {}));
  }

  cancel(): Promise<boolean> {
    return this.changeWith('cancel', () => this.bridge.request('updates.cancel', {}));
  }

  restart(): Promise<boolean> {
    return this.changeWith('restart', () => this.bridge.request('updates.restart', {}));
  }

  openPage(page: 'notes' | 'downloads'): Promise<boolean> {
    return this.changeWith('openPage', () => this.bridge.request('updates.openPage', { page }));
  }
}
