import type { ProcessOutcome } from '../../processes/process-runner.ts';
import type { ServerOutput } from '../status/server-problem.ts';

/** How a process ended. */
export type ServerExit = Pick<ProcessOutcome, 'exitCode' | 'exitSignal'>;

/** A server that runs as a process of ours. */
export interface ServerProcess {
  /** `null` if it was not started. */
  readonly pid: number | null;
  /** Set once the process has ended. */
  readonly exit: ServerExit | undefined;
  /** What the process wrote last, apart from messages. */
  readonly output: ServerOutput;
}
