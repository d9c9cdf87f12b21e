/** No file has a longer name. */
const MAX_NAME_LENGTH = 255;

/**
 * The names that a program may go by, for the word that starts it: `python3.12` and `python` for `/usr/bin/python3.12`,
 * `git` for `Git.EXE`, `gcc-12` and `gcc` for `gcc-12`.
 */
export function programNames(word: string): readonly string[] {
  const base = word.split(/[\\/]/).at(-1) ?? '';
  if (base.length > MAX_NAME_LENGTH) return [base.toLowerCase()];
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  const withoutVersion = name.replace(/[-_]?\d[\d.]{0,40}w?$/, '');
  return withoutVersion === name || withoutVersion === '' ? [name] : [name, withoutVersion];
}

/** A word of these characters needs no quoting, for shells or readers; a tilde only if it is not the first. */
const PLAIN = /^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/;

/** Quotes each word whose boundaries would be unclear. Different lists of words always give different lines. */
export function commandOf(words: readonly string[]): string {
  return words.map((word, index) => (isPlain(word, index) ? word : quoted(word))).join(' ');
}

/** The word quoted for a shell: `'a'\''b'` for `a'b`. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** An `=` in the first word would be an assignment. */
function isPlain(word: string, index: number): boolean {
  return PLAIN.test(word) && !(index === 0 && word.includes('='));
}
