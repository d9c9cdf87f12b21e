import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { LeftRunning } from '../../src-preload/contract/left-running.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

/** What calls of any conversation left running, as main knows it now. */
export class LeftRunningPrograms {
  #live: readonly LeftRunning[] = $state.raw([]);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  told({ left }: AppEvents['leftRunning']): void {
    this.#live = left;
  }

  /** `undefined`: it has ended, or was left by an earlier run of Steward, which nobody knows of any more. */
  live(id: string): LeftRunning | undefined {
    return this.#live.find((left) => left.id === id);
  }

  /** That it has ended comes as an event. */
  async stop(id: string): Promise<void> {
    const answer = await reported(this.#bridge.request('conversations.stopLeftRunning', { id }));
    if (answer?.isEnded === false)
      toasts.fail('It could not be stopped: the system is protecting it, or it belongs to another user.');
  }
}
