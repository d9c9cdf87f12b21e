export interface Loss {
  /** Words of the reference. */
  readonly words: number;
  /** The words that are not in the text. */
  readonly lost: readonly string[];
  /** Words that are joined or divided otherwise than in the reference. */
  readonly regrouped: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Words of `reference` that `text` lacks, each as often as it lacks it. A word that is only joined or divided otherwise
 * (`2^24` for 224) is not lost: its letters are there, beside those of a neighbour.
 */
export function lossOf(reference: string, text: string): Loss {
  const words = wordsOf(reference);
  const left = counted(wordsOf(text));
  const missing: number[] = [];
  for (const [index, word] of words.entries()) {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    else missing.push(index);
  }
  if (missing.length === 0) return { words: words.length, lost: [], regrouped: 0 };
  const letters = wordsOf(withoutAddresses(text)).join('');
  const isThere = (index: number) =>
    letters.includes(`${words[index - 1] ?? ''}${words[index]}`) ||
    letters.includes(`${words[index]}${words[index + 1] ?? ''}`);
  const lost = missing.filter((index) => !isThere(index));
  return {
    words: words.length,
    lost: lost.map((index) => words[index] ?? ''),
    regrouped: missing.length - lost.length,
  };
}

/** The share of the reference that the text has; 1 for an empty one. */
export function recallOf({ words, lost }: Loss): number {
  return words === 0 ? 1 : 1 - lost.length / words;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').match(WORD) ?? [];
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Removes the addresses that Steward's text shows after the text of a link. */
function withoutAddresses(text: string): string {
  return text.replace(/ \([^\s()]+(?:\([^\s()]*\)[^\s()]*)*\)/g, ' ');
}
