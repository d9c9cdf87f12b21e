import { RequestFailed, sentenceOf } from '../ui/bridge.ts';
import { LoadedView } from './loaded-view.svelte.ts';

export interface Refusal {
  readonly about: string;
  readonly message: string;
  /** The user declined in the consent surface; this is not an error. */
  readonly isOwnChoice: boolean;
}

/**
 * What main reports about one thing, and what a user changes in it. Nothing changes here until main confirms it.
 * `About` names what a change is about.
 */
export abstract class ViewStore<View, About extends string = string> extends LoadedView<View> {
  /** What is in progress. */
  busy = $state<About | null>(null);
  /** The last change that failed, until another one begins. */
  refusal = $state.raw<Refusal | null>(null);

  refusalOf(about: About): Refusal | null {
    return this.refusal?.about === about ? this.refusal : null;
  }

  forgetRefusal(): void {
    this.refusal = null;
  }

  /** The view stays as it is if the request answers null. Resolves with whether the change took effect. */
  protected changeWith(about: About, request: () => Promise<View | null>): Promise<boolean> {
    return this.attempt(about, async () => {
      this.view = (await request()) ?? this.view;
    });
  }

  /** Does the same for a request whose answer is something else. */
  protected async attempt(about: About, work: () => Promise<unknown>): Promise<boolean> {
    this.busy = about;
    this.refusal = null;
    try {
      await work();
      return true;
    } catch (error) {
      const isOwnChoice = error instanceof RequestFailed && error.code === 'not_confirmed';
      this.refusal = { about, message: sentenceOf(error), isOwnChoice };
      return false;
    } finally {
      if (this.busy === about) this.busy = null;
    }
  }
}
