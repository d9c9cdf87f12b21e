import type { ProgramsView } from '../../../src-preload/contract/programs.ts';
import { ViewStore } from '../view-store.svelte.ts';

/**
 * Paired programs and the socket they connect to, as reported by main. A change is about `socket`, a program’s id, or
 * `pause`.
 */
export class ProgramsStore extends ViewStore<ProgramsView, string> {
  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.load();
    return this.bridge.on('programsChanged', () => void this.load());
  }

  protected override ask(): Promise<ProgramsView> {
    return this.bridge.request('programs.list', {});
  }

  setOn(isOn: boolean): Promise<void> {
    return this.change('socket', () => this.bridge.request('programs.setOn', { isOn }));
  }

  revoke(id: string): Promise<void> {
    return this.change(id, () => this.bridge.request('programs.revoke', { id }));
  }

  endPause(): Promise<void> {
    return this.change('pause', () => this.bridge.request('programs.endPause', {}));
  }
}
