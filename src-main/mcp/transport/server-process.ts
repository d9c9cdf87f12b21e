import type { ProcessOutcome } from '../../processes/process-runner.ts';

/** A server that runs as a process of ours. */
export interface ServerProcess {
  /** `null` if it was not started. */
  readonly pid: number | null;
  /** Set once the process has ended. */
  readonly exit: ServerExit | undefined;
}

/** How the process ended, and its last lines on stderr. */
export interface ServerExit extends Pick<ProcessOutcome, 'exitCode' | 'exitSignal'> {
  readonly stderr: string;
}
