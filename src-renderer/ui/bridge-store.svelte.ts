import { type Bridge, sentenceOf } from './bridge.ts';

/** State that comes from requests to main, and why the last of them failed. */
export abstract class BridgeStore {
  failure = $state<string | null>(null);
  protected readonly bridge: Bridge;

  constructor(bridge: Bridge) {
    this.bridge = bridge;
  }

  /** Resolves with whether it worked. */
  protected async attempted(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      this.failure = null;
      return true;
    } catch (error) {
      this.failure = sentenceOf(error);
      return false;
    }
  }
}
