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

  /** Without asking for anything: main tells when there is something to know. */
  follow(): () => void {
    return this.bridge.on('updates', (view) => {
      this.view = view;
      this.failure = null;
    });
  }

  protected override ask(): Promise<UpdatesView> {
    return this.bridge.request('updates.get', {});
  }

  setOn(isOn: boolean): Promise<void> {
    return this.change('setOn', () => this.bridge.request('updates.setOn', { isOn }));
  }

  check(): Promise<void> {
    return this.change('check', () => this.bridge.request('updates.check', {}));
  }

  dismiss(): Promise<void> {
    return this.change('dismiss', () => this.bridge.request('updates.dismiss', {}));
  }

  download(): Promise<void> {
    return this.change('download', () => this.bridge.request('updates.download', {}));
  }

  cancel(): Promise<void> {
    return this.change('cancel', () => this.bridge.request('updates.cancel', {}));
  }

  restart(): Promise<void> {
    return this.change('restart', () => this.bridge.request('updates.restart', {}));
  }

  openPage(page: 'notes' | 'downloads'): Promise<void> {
    return this.change('openPage', () => this.bridge.request('updates.openPage', { page }));
  }
}
