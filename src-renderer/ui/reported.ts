import { RequestFailed, sentenceOf } from './bridge.ts';
import { type Toast, toasts } from './toasts.svelte.ts';

let remedyOf: (code: string) => Toast['action'] = () => undefined;

/** Actions offered with the message of a failed request, by error code. One per page; `app` connects it. */
export function connectRemedies(remedies: (code: string) => Toast['action']): void {
  remedyOf = remedies;
}

/** Shows the error if it fails, then resolves with `undefined`. */
export async function reported<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    toasts.fail(sentenceOf(error), error instanceof RequestFailed ? remedyOf(error.code) : undefined);
    return undefined;
  }
}
