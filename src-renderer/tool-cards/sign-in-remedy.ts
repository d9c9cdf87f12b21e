import type { Remedy } from '../../src-preload/contract/remedies.ts';

/** The server that failed a call because nobody is signed in, and where to go. */
export function signInRemedy(remedies: readonly Remedy[] = []): { server: string; remedy: Remedy } | undefined {
  const [found] = remedies.flatMap((remedy) =>
    remedy.kind === 'settings' && remedy.server !== undefined ? [{ remedy, server: remedy.server }] : [],
  );
  return found;
}
