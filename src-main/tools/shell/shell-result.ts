import type { ProcessOutcome } from '../../processes/process-runner.ts';

/** The last line of the output, which says why a shell line was ended. Source: tool catalogue B.2, bash. */
export function endingLine({ ending }: Pick<ProcessOutcome, 'ending'>, timeoutMs: number): string | undefined {
  if (ending === 'aborted') return '[stopped by the user]';
  return ending === 'timed-out' ? `[timed out after ${timeoutMs / 1000}s]` : undefined;
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
