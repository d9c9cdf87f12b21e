import { sentenceOf } from './bridge.ts';
import { toasts } from './toasts.svelte.ts';

/** Tells the person when it fails. Resolves with `undefined` then. */
export async function reported<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    toasts.fail(sentenceOf(error));
    return undefined;
  }
}
