/** Words by which awk starts a program, reads what is not on the command line, or takes code from elsewhere. */
const REACHES_OUT =
  /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|include|load|nsinclude|extension)\b|@/;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/g;
/** At a place where no awk takes a slash for a division. Plain ones: what could end a pattern elsewhere in another awk is left out. */
const PATTERN = /(^|[({,;!~&|]\s*)\/[^/\\"{}()[\]\n]*(?:\\[./dswbt-][^/\\"{}()[\]\n]*)*\//g;

/**
 * Whether an awk program does nothing but print what it makes of its input, in every awk: it starts nothing, writes no file and
 * reads none that is not on the command line. In doubt it does not. Output is sent elsewhere by `>` and `|` behind `print`, so
 * within an action a `>` may only stand in parentheses, and a `|` only beside another. Source: POSIX.1-2017, awk, "Output Statements".
 */
export function onlyPrints(program: string): boolean {
  if (program.includes('#') || REACHES_OUT.test(program)) return false;
  const code = program.replace(STRING, '""').replace(PATTERN, '$1""');
  // What is left of a string or a pattern was none of a kind that is known here; a pattern has two slashes, a division one.
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
