import { RequestFailed, sentenceOf } from './bridge.ts';
import { type Toast, toasts } from './toasts.svelte.ts';

let remedyOf: (failure: RequestFailed) => Toast['action'] = () => undefined;

/** The action offered with the message of a failed request. One per page; `app` connects it. */
export function connectRemedies(remedies: (failure: RequestFailed) => Toast['action']): void {
  remedyOf = remedies;
}

/**
 * Shows the error if it fails, then resolves with `undefined`. `about` is what can be tried again; a new error about it
 * closes the earlier ones.
 */
export async function reported<T>(work: Promise<T>, about?: string): Promise<T | undefined> {
  try {
    const result = await work;
    if (about !== undefined) toasts.settle(about);
    return result;
  } catch (error) {
    toasts.fail(sentenceOf(error), error instanceof RequestFailed ? remedyOf(error) : undefined, about);
    return undefined;
  }
}
