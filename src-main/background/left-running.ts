import type { LeftRunning } from '../../src-preload/contract/left-running.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import { shownPrograms } from '../tools/shell/shown-commands.ts';

/** Running commands and what they left running: to list it, end it, or ask about it when quitting. */
export class LeftRunningPrograms {
  readonly #processes: ProcessRunner;

  constructor(processes: ProcessRunner) {
    this.#processes = processes;
  }

  /** Programs that commands left running, and background shells. */
  list(): readonly LeftRunning[] {
    return this.#processes.leftRunning.list().map(shownPrograms);
  }

  /** Commands that a turn is waiting for. */
  commands(): readonly string[] {
    return this.#processes.runningLines();
  }

  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#processes.leftRunning.onChange(listener);
  }

  /** Resolves with false if something could not be ended. */
  end(id: string): Promise<boolean> {
    return this.#processes.endLeftRunning(id);
  }

  /** On Windows, direct children end with the process that started them. */
  readonly canBeLeft = process.platform !== 'win32';

  /** Keeps them running when Steward quits. */
  leave(): void {
    this.#processes.leaveRunning();
  }
}
