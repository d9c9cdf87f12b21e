import type { LeftRunning } from '../../src-preload/contract/left-running.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import { shownPrograms } from '../tools/shell/shown-programs.ts';

/** What commands started and what goes on: for whoever names it, ends it, or asks about it at the end of the app. */
export class LeftRunningPrograms {
  readonly #processes: ProcessRunner;

  constructor(processes: ProcessRunner) {
    this.#processes = processes;
  }

  /** Programs that commands left running, and shells in the background. */
  list(): readonly LeftRunning[] {
    return this.#processes.leftRunning.list().map(shownPrograms);
  }

  /** Commands that a turn waits for. */
  commands(): readonly string[] {
    return this.#processes.runningLines();
  }

  /** Returns the way to stop. */
  onChange(listener: () => void): () => void {
    return this.#processes.leftRunning.onChange(listener);
  }

  /** False: something of it could not be ended. What has ended already counts as ended. */
  end(id: string): Promise<boolean> {
    return this.#processes.endLeftRunning(id);
  }

  /** On Windows what was started directly ends with whoever started it. */
  readonly canBeLeft = process.platform !== 'win32';

  /** At the end of the app they stay. */
  leave(): void {
    this.#processes.leaveRunning();
  }
}
