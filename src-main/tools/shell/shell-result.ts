import { ownValue } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';
import type { ProcessOutcome } from '../../processes/process-runner.ts';
import type { PassedLimit, UsageLimits } from '../../processes/usage-limits.ts';
import type { RunIn } from './allowed-run.ts';
import { SANDBOX_LIMITS, UNASKED_LIMITS } from './unasked-limits.ts';

/** How a command ran, as far as its limits depend on it. */
interface Ran {
  readonly inside: RunIn;
}

/** The last line of the output, which says why a shell line was ended. Source: tool catalogue B.2, bash. */
export function endingLine(
  { ending }: Pick<ProcessOutcome, 'ending'>,
  { timeoutMs, inside }: Ran & { readonly timeoutMs: number },
): string | undefined {
  if (ending === 'aborted') return '[stopped by the user]';
  if (ending === 'timed-out') return `[timed out after ${timeoutMs / 1000}s]`;
  const passed = passedLimit(ending, { inside });
  return passed && `[${passed}]`;
}

/** Which limit of unasked commands was passed, and what to do about it. Undefined if none was. */
export function passedLimit(ending: ProcessOutcome['ending'], { inside }: Ran): string | undefined {
  const limit = ownValue<string>(limitWords(inside !== undefined ? SANDBOX_LIMITS : UNASKED_LIMITS), ending);
  const instead = inside
    ? `Use sandbox "${inside === 'folder' ? 'off' : 'folder'}", which has no such limit; the user is asked`
    : 'Read less at once, or use bash with run_in_background, which has no such limit; the user may be asked';
  return limit && `ended: ${limit}. ${instead}`;
}

function limitWords({ memoryBytes, temporaryBytes, timeMs, processes = 0 }: UsageLimits): Record<PassedLimit, string> {
  const all = 'commands that run without a question';
  return {
    'over-memory': `${all} may use ${Math.round(memoryBytes / 2 ** 30)} GB of memory together, and this one used most`,
    'over-processes': `${all} may have ${grouped(processes)} processes together, and this one had most`,
    'over-temporary-files': `${all} may write ${temporaryBytes / 2 ** 30} GB of temporary files together, and this one wrote most`,
    'over-time': `a command that runs without a question may take ${timeMs / 60_000} minutes`,
  };
}

export function withLastLine(output: string, line: string | undefined): string {
  if (line === undefined) return output;
  return output === '' ? line : `${output}\n${line}`;
}

/** The text without its last line end, which almost every program prints and which must not become an empty line. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

type Output = Pick<ProcessOutcome, 'stdout' | 'stderr' | 'droppedBytes'>;

/** Both streams, each with a last line that says whether part of it was dropped. */
export function outputWithNotices({ stdout, stderr, droppedBytes }: Output): { stdout: string; stderr: string } {
  return { stdout: withNotice(stdout, droppedBytes.stdout), stderr: withNotice(stderr, droppedBytes.stderr) };
}

function withNotice(text: string, dropped: number): string {
  return dropped === 0 ? text : `${text}\n[output beyond 10 MB was dropped]\n`;
}
