import { type Bridge, RequestFailed, sentenceOf } from '../ui/bridge.ts';
import type { Refusal } from './settings-store.svelte.ts';

/** What main reports about one thing, and what a user changes in it. `About`: what a change is about. */
export abstract class ViewStore<View, About extends string> {
  view = $state.raw<View | null>(null);
  /** Why it can't be shown. */
  failure = $state<string | null>(null);
  /** What is in progress. */
  busy = $state<About | null>(null);
  /** The last change that failed, until another one begins. */
  refusal = $state.raw<Refusal | null>(null);
  protected readonly bridge: Bridge;

  constructor(bridge: Bridge) {
    this.bridge = bridge;
  }

  async load(): Promise<void> {
    try {
      this.view = await this.ask();
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    }
  }

  protected abstract ask(): Promise<View>;

  /** `null`: the view stays as it is. */
  protected async change(about: About, request: () => Promise<View | null>): Promise<void> {
    this.busy = about;
    this.refusal = null;
    try {
      this.view = (await request()) ?? this.view;
    } catch (error) {
      const isOwnChoice = error instanceof RequestFailed && error.code === 'not_confirmed';
      this.refusal = { about, message: sentenceOf(error), isOwnChoice };
    } finally {
      if (this.busy === about) this.busy = null;
    }
  }
}
