/** Neither a shell nor a reader takes any of these for more than itself; a tilde only behind something. */
const PLAIN = /^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/;

/** Each word quoted where its ends would not be plain to see. No two lists of words give the same line. */
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
