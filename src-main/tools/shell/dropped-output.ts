import type { ProcessOutcome } from '../../processes/process-runner.ts';

type Output = Pick<ProcessOutcome, 'stdout' | 'stderr' | 'droppedBytes'>;

/** Both streams, each with a last line that says if something of it was dropped. */
export function outputWithNotices({ stdout, stderr, droppedBytes }: Output): { stdout: string; stderr: string } {
  return { stdout: withNotice(stdout, droppedBytes.stdout), stderr: withNotice(stderr, droppedBytes.stderr) };
}

function withNotice(text: string, dropped: number): string {
  return dropped === 0 ? text : `${text}\n[output beyond 10 MB was dropped]\n`;
}
