/** No file has a longer name. */
const MAX_NAME_LENGTH = 255;

/** `/usr/bin/python3.12` → `python3.12` and `python`, `Git.EXE` → `git`, `gcc-12` → `gcc-12` and `gcc`. */
export function programNames(word: string): readonly string[] {
  const base = word.split(/[\\/]/).at(-1) ?? '';
  if (base.length > MAX_NAME_LENGTH) return [base.toLowerCase()];
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  const withoutVersion = name.replace(/[-_]?\d[\d.]{0,40}w?$/, '');
  return withoutVersion === name || withoutVersion === '' ? [name] : [name, withoutVersion];
}

/** Characters that need no quoting, for shells or readers; a tilde only if it is not the first. */
const PLAIN = /^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/;

/** Quotes each word whose boundaries would be unclear. Different lists of words always give different lines. */
export function commandOf(words: readonly string[]): string {
  return words.map((word, index) => (isPlain(word, index) ? word : quoted(word))).join(' ');
}

/** For a shell: `a'b` → `'a'\''b'`. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** An `=` in the first word would be an assignment. */
function isPlain(word: string, index: number): boolean {
  return PLAIN.test(word) && !(index === 0 && word.includes('='));
}
