import type { WordPiece } from '../../../src-preload/contract/consent.ts';

/** Comparing holds up everything else. What takes longer is shown whole, as it was and as it is. */
const TIMEOUT_MS = 300;

/**
 * Where two texts differ, word by word. Blanks and characters that nobody sees count like any others. `before` is null: there was
 * no text, and all of it stays as it is. What comes back is untrusted: a surface makes it visible where it writes it.
 */
export async function wordDiff(before: string | null, now: string): Promise<readonly WordPiece[]> {
  if (before === null) return now === '' ? [] : [{ kind: 'same', text: now }];
  const { diffWordsWithSpace } = await import('diff');
  const changes = diffWordsWithSpace(before, now, { timeout: TIMEOUT_MS });
  if (changes === undefined) {
    const whole: readonly WordPiece[] = [
      { kind: 'removed', text: before },
      { kind: 'added', text: now },
    ];
    return whole.filter(({ text }) => text !== '');
  }
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}
