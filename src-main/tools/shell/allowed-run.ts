import type { Refusal } from '../../../src-preload/contract/refusals.ts';
import type { Connections, PutAside } from '../../../src-preload/contract/tool-card.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import type { ProcessOutcome, ProcessRequest } from '../../processes/process-runner.ts';
import type { ToolContext } from '../contract.ts';
import type { AssessedReading } from './assessed-reading.ts';
import type { CommandFolder } from './command-folder.ts';

/** How a command runs. */
export interface CommandBounds {
  /** In the read-only sandbox. */
  readonly held: boolean;
  /** It may run in the sandbox of its folder, if a grant allows that. */
  readonly mayBeHeld?: true;
  /** What the model has to know of that when the command has ended. */
  readonly note?: string;
}

/** How an assessed command runs. */
export interface CommandWay extends CommandBounds {
  /** It was found to be read-only, and runs as that. */
  readonly reading: AssessedReading | undefined;
  /** The real path of the root that it can write in the sandbox of its folder. */
  readonly heldIn: string | undefined;
  /** The command that was assessed. */
  readonly asked: GivenCommand;
}

/** The sandbox that a command runs in, if any. */
export type RunIn = 'read-only' | 'folder' | undefined;

/** How an allowed command is started, and what it runs with. */
export interface AllowedRun {
  readonly written: Pick<ProcessRequest, 'command' | 'args' | 'windowsVerbatimArguments'>;
  readonly way: CommandWay;
  readonly folder: CommandFolder;
  readonly shell?: 'bash' | 'sh';
  readonly line: string;
  readonly timeoutMs: number;
  /** Says why it could not be started. */
  readonly failure: (error: unknown, program: string) => unknown;
}

export interface RunResult {
  readonly outcome: ProcessOutcome;
  readonly putAside: PutAside | undefined;
  /** What the model has to know of files that were put aside. */
  readonly aside: string | undefined;
  /** What it connected to, and what it could not. Undefined if it wanted no connection. */
  readonly connections: Connections | undefined;
  /** What the sandbox probably refused it. */
  readonly refused: readonly Refusal[];
  /** What the model has to know of how it ran, if anything. */
  readonly note: string | undefined;
}

/** Runs what was started in place of an allowed command. */
export async function outcomeOf(
  { folder, line, failure }: AllowedRun,
  started: Pick<ProcessRequest, 'command' | 'args'> & Partial<ProcessRequest>,
  { signal, onOutput, commandEnvironment: environment, processes }: ToolContext,
): Promise<ProcessOutcome> {
  const request = { environment, ...started, line, directory: folder.real, signal, onOutput };
  return processes.run(request).catch((error: unknown) => {
    throw failure(error, started.command);
  });
}
