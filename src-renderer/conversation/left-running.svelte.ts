import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { LeftRunning } from '../../src-preload/contract/left-running.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

/** Programs that calls of any conversation left running, as main currently knows them. */
export class LeftRunningPrograms {
  #live: readonly LeftRunning[] = $state.raw([]);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  told({ left }: AppEvents['leftRunning']): void {
    this.#live = left;
  }

  /** Undefined if it has ended, or if an earlier run of Steward left it and it is no longer tracked. */
  live(id: string): LeftRunning | undefined {
    return this.#live.find((left) => left.id === id);
  }

  /** An event reports that it has ended. */
  async stop(id: string): Promise<void> {
    const answer = await reported(this.#bridge.request('conversations.stopLeftRunning', { id }));
    if (answer?.isEnded === false)
      toasts.fail('It could not be stopped: the system is protecting it, or it belongs to another user.');
  }
}
