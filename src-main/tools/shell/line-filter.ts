import { tmpdir } from 'node:os';
import type { ProcessRunner } from '../../processes/process-runner.ts';
import { ToolFailure } from '../contract.ts';
import { ripgrepPath } from '../search/ripgrep.ts';

/** The time limit, which is the same as grep's; see tool catalogue B.1. */
const GUARD_MS = 10_000;
/** The limit exists because the pattern is passed on a command line. */
const MAX_PATTERN_BYTES = 24_000;

/**
 * The lines of a text that match a regular expression. ripgrep evaluates it, in the dialect of grep and search_code, so
 * a pattern that backtracks endlessly can't block this process. Throws `Error: Regex error: …`.
 */
export async function matchingLines(
  text: string,
  pattern: string,
  { processes, signal }: { readonly processes: ProcessRunner; readonly signal: AbortSignal },
): Promise<string> {
  if (pattern.includes('\0')) throw regexError('it cannot hold a NUL character');
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) throw regexError('it is too long. Use a shorter one');
  const outcome = await processes.run({
    command: await ripgrepPath(),
    args: [
      '--no-config',
      '--color=never',
      '--no-filename',
      '--no-line-number',
      '--no-heading',
      '--text',
      '--encoding=none',
      '--crlf',
      '--engine=auto',
      `--regexp=${pattern}`,
      '--',
      '-',
    ],
    input: text,
    directory: tmpdir(),
    timeoutMs: GUARD_MS,
    signal,
  });
  if (outcome.ending === 'timed-out') throw regexError('timed out');
  if (outcome.ending === 'aborted') throw new ToolFailure('Error: Stopped by the user', { outcome: 'stopped' });
  // The exit code is 0 if some lines match, and 1 if none does.
  if (outcome.exitCode === 0 || outcome.exitCode === 1) return outcome.stdout;
  throw regexError(reasonIn(outcome.stderr));
}

function regexError(reason: string): ToolFailure {
  return new ToolFailure(`Error: Regex error: ${reason}`);
}

/**
 * The reason that ripgrep gives. If both of its engines rejected the pattern, it is the reason of the one with the
 * wider dialect, without the offset in the wrapped pattern.
 */
function reasonIn(stderr: string): string {
  const [, wider] = stderr.split('PCRE2 regex engine error:\n');
  const reason = (wider ?? stderr).replaceAll(/^~+$/gm, '').replace(/^\s*rg: (?:<stdin>: )?/, '');
  return reason.replace(/ at offset \d+(?=:)/, '').trim() || 'ripgrep ended without a reason';
}
