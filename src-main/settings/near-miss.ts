/** The known word that a mistyped one probably means: same letters in another case, or at most two edits away. */
export function nearMiss(word: string, known: readonly string[]): string | undefined {
  const plain = fold(word);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const limit = Math.min(2, Math.floor(name.length / 3));
    const distance = editDistance(plain, fold(name), limit);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

function fold(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

/**
 * Edits (insert, delete, replace, swap of neighbours) between two words; anything over `limit` may come back as `limit
 * + 1`.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (twoAbove[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    twoAbove = above;
    above = current;
  }
  return above[b.length] ?? limit + 1;
}
