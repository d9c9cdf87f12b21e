/** File systems allow no longer names. */
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

/**
 * Matches a word that needs no quoting, either for a shell or for a reader. A tilde is accepted anywhere but at the
 * start.
 */
const PLAIN = /^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/;

/**
 * Quotes each word whose boundaries would be unclear, so that different lists of words always give different lines:
 * `rm 'a b'` must not look like `rm a b`.
 */
export function commandOf(words: readonly string[]): string {
  return words.map((word, index) => (isPlain(word, index) ? word : quoted(word))).join(' ');
}

/** Quotes the word for a shell: `'a'\''b'` for `a'b`. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the word can stay as it is. An `=` in the first word would make it an assignment. */
function isPlain(word: string, index: number): boolean {
  return PLAIN.test(word) && !(index === 0 && word.includes('='));
}
