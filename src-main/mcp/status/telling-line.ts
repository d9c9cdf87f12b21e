/** Says what is wrong: an error with its text, or what the system or a package manager reports. */
const SAYS_WHY = [
  /\b(?:ENO[A-Z]+|EACCES|EPERM|EADDR[A-Z]+|ECONN[A-Z]+|ETIMEDOUT|EAI_[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|EPIPE|EEXIST|EISDIR|EPROTO)\b/,
  /\b(?:EBADENGINE|ERESOLVE|ETARGET|EUSAGE|E[45]\d\d|ERR_[A-Z_]+)\b/,
  /^\W*(?:\w+[.:])*\w*(?:Error|Exception)\b(?:\s*\[\w+\])?\s*:\s*\S/,
  /^\W*error\s*:/i,
  /cannot find|can't find|could not find|no module named|not found|no such file|command not found|no solution found/i,
  /permission denied|access denied|access is denied|not permitted|unauthorized|forbidden|invalid (?:api )?(?:key|token)/i,
  /address already in use|connection refused|unable to (?:connect|find|resolve|open)|cannot (?:open|connect|be resolved)/i,
  /^\W*(?:panic|fatal|thread '.*' panicked|unhandled exception|uncaught exception|exception in thread)\b/i,
  /\b(?:is|are) (?:required|missing|not set|not defined|not installed)|\b(?:must|has to|have to) be (?:set|provided|given)|please (?:set|provide)/i,
];
/** Says only that something is. */
const SAYS_SOMETHING = [
  /\berror\b|\bfail(?:ed|ure)?\b|\bfatal\b|\binvalid\b|\bunknown\b|\bmissing\b|\brefused\b/i,
  /^\s*usage\s*:/i,
];
/** Stack frames, code that is quoted, warnings, and what package managers add. */
const ASIDE = [
  /^\s*(?:at\s|File "|\.{3}\s|[\^~|}\])]+\s*$|throw\s|raise\s|code: |errno: |syscall: |requireStack: |spawnargs: |path: |node:internal|Node\.js v)/,
  /^\s*(?:\d+\s*)?\|/,
  /\bwarn(?:ing)?\b|deprecat|ExperimentalWarning/i,
  /^npm (?:error|ERR!)\s*(?:code\s|errno\s|syscall\s|path\s|\d{3}\s*$|$)|complete log of this run|debug log|--trace-/i,
  /^\s*Traceback \(most recent call last\)|^During handling of|^The above exception/,
];

/** Less of an answer than the line that it explains. */
const CAUSE = /^\s*caused by\b/i;

/**
 * The line of a program's output that says best why it ended, or the later of two that are as good; empty if the
 * program wrote nothing. Programs write stack traces, warnings and hints after what matters.
 */
export function tellingLine(lines: readonly string[]): string {
  let best = { rank: 0, line: '' };
  for (const line of lines) {
    const rank = rankOf(line);
    if (rank > 0 && rank >= best.rank) best = { rank, line: line.trim() };
  }
  return best.line;
}

function rankOf(line: string): number {
  if (line.trim() === '') return 0;
  const is = (kinds: readonly RegExp[]) => kinds.some((kind) => kind.test(line));
  if (is(ASIDE)) return 1;
  if (is(SAYS_WHY) && !CAUSE.test(line)) return 4;
  return is(SAYS_SOMETHING) ? 3 : 2;
}
