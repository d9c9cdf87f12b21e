import type { ProgramsView } from '../../../src-preload/contract/programs.ts';
import { ViewStore } from '../view-store.svelte.ts';

/**
 * Paired programs and the socket they connect to, as reported by main. A change is about `socket`, a program’s id, or
 * `pause`.
 */
export class ProgramsStore extends ViewStore<ProgramsView, string> {
  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    return this.loadOn('programsChanged');
  }

  protected override ask(): Promise<ProgramsView> {
    return this.bridge.request('programs.list', {});
  }

  setOn(isOn: boolean): Promise<boolean> {
    return this.changeWith('socket', () => this.bridge.request('programs.setOn', { isOn }));
  }

  revoke(id: string): Promise<boolean> {
    return this.changeWith(id, () => this.bridge.request('programs.revoke', { id }));
  }

  endPause(): Promise<boolean> {
    return this.changeWith('pause', () => this.bridge.request('programs.endPause', {}));
  }
}
