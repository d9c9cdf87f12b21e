import type { WordPiece } from '../../../src-preload/contract/consent.ts';

/**
 * The time limit of a comparison, which blocks everything else. If it takes longer, both versions are shown in full.
 */
const TIMEOUT_MS = 300;

/**
 * A word diff of two texts. Blanks and invisible characters count like any others. With `before` null there was no
 * text, and all of `now` is unchanged. The result is untrusted: surfaces make it visible when they show it.
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
