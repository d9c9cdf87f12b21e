import { RequestFailed, sentenceOf } from './bridge.ts';
import { type Toast, toasts } from './toasts.svelte.ts';

let remedyOf: (code: string) => Toast['action'] = () => undefined;

/** What is offered beside the message of a failed request, by its code. One per page; `app` connects it. */
export function connectRemedies(remedies: (code: string) => Toast['action']): void {
  remedyOf = remedies;
}

/** Tells the person when it fails. Resolves with `undefined` then. */
export async function reported<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    toasts.fail(sentenceOf(error), error instanceof RequestFailed ? remedyOf(error.code) : undefined);
    return undefined;
  }
}
