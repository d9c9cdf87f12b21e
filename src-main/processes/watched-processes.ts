import { ProcessRunner, type ProcessRunnerPorts } from './process-runner.ts';
import { ProcessWatcher } from './process-watcher.ts';

export interface WatchedProcessesOptions extends Pick<ProcessRunnerPorts, 'environment'> {
  readonly log: (message: string) => void;
}

/** Child processes that never outlive this process, however it ends: by `close`, a second Ctrl-C or a crash. */
export class WatchedProcesses {
  readonly watcher: ProcessWatcher;
  readonly runner: ProcessRunner;
  readonly #killAllNow = () => this.runner.killAllNow();

  constructor({ environment, log }: WatchedProcessesOptions) {
    this.watcher = new ProcessWatcher({ log });
    this.runner = new ProcessRunner({ environment, watcher: this.watcher });
    process.once('exit', this.#killAllNow);
  }

  /** Resolves when no process is left. */
  async close(): Promise<void> {
    await this.runner.killAll();
    await this.watcher.close();
    process.off('exit', this.#killAllNow);
  }
}
