/** Words with which awk starts a program, reads something not on the command line, or loads code from elsewhere. */
const REACHES_OUT =
  /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|include|load|nsinclude|extension)\b|@/;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/g;
/**
 * Matches a pattern in a position where no awk reads a slash as division. It has to be a plain one: anything that could
 * end a pattern earlier in another awk is left out.
 */
const PATTERN = /(^|[({,;!~&|]\s*)\/[^/\\"{}()[\]\n]*(?:\\[./dswbt-][^/\\"{}()[\]\n]*)*\//g;

/**
 * Whether an awk program only prints what it computes from its input, in every awk: it starts nothing, writes no file
 * and reads none that is not on the command line. When in doubt, the answer is no. `>` and `|` after `print` redirect
 * output, so within an action a `>` is accepted only in parentheses, and a `|` only next to another. Source:
 * POSIX.1-2017, awk, "Output Statements".
 */
export function onlyPrints(program: string): boolean {
  if (program.includes('#') || REACHES_OUT.test(program)) return false;
  const code = program.replace(STRING, '""').replace(PATTERN, '$1""');
  // A remaining quote or slash is from a string or pattern of an unknown kind; a pattern has two slashes, a division
  // one.
  if (/["'`\\]/.test(code.replaceAll('""', '')) || code.split('/').length > 2) return false;
  return !code.replaceAll('||', '').includes('|') && !redirects(code);
}

function redirects(code: string): boolean {
  let braces = 0;
  let parentheses = 0;
  for (const character of code) {
    if (character === '{') braces += 1;
    if (character === '}') braces -= 1;
    if (character === '(') parentheses += 1;
    if (character === ')') parentheses -= 1;
    if (braces < 0 || parentheses < 0) return true;
    if (character === '>' && braces > 0 && parentheses === 0) return true;
  }
  return braces !== 0 || parentheses !== 0;
}
