import type { Remedy } from '../../src-preload/contract/remedies.ts';

/** What failed a call because nobody is signed in, and where to go. `server`: absent for a Google account. */
export function signInRemedy(remedies: readonly Remedy[] = []): { server?: string; remedy: Remedy } | undefined {
  const [found] = remedies.flatMap((remedy) => {
    if (remedy.kind !== 'settings') return [];
    if (remedy.server !== undefined) return [{ remedy, server: remedy.server }];
    return remedy.section === 'accounts' ? [{ remedy }] : [];
  });
  return found;
}
