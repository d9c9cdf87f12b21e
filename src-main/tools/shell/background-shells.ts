import { exitCodeOf } from './exit-code.ts';
import type { ProcessEnding, ProcessRunner, RunningProcess } from './process-runner.ts';
import { shellCommand } from './shell-line.ts';

export interface BackgroundShell {
  readonly id: string;
  /** What was captured so far, stdout then stderr. */
  readonly text: string;
  /** `undefined` while it runs. */
  readonly exitCode: number | undefined;
}

interface Started {
  readonly process: RunningProcess;
  readonly stop: AbortController;
  ending?: { readonly how: ProcessEnding; readonly exitCode: number };
}

/** Shells that go on after the call which started them; all of them end with the app. Source: tool catalogue B.2. */
export class BackgroundShells {
  readonly #processes: ProcessRunner;
  readonly #shells = new Map<string, Started>();

  constructor(processes: ProcessRunner) {
    this.#processes = processes;
  }

  /** Gives the new shell's id: `shell_1`, `shell_2`, … */
  async start(line: string, directory: string): Promise<string> {
    const stop = new AbortController();
    const process = await this.#processes.start({ ...shellCommand(line), directory, signal: stop.signal });
    const id = `shell_${this.#shells.size + 1}`;
    const started: Started = { process, stop };
    this.#shells.set(id, started);
    void process.finished.then(({ ending, exitCode, exitSignal }) => {
      started.ending = { how: ending, exitCode: exitCodeOf(exitCode, exitSignal) };
    });
    return id;
  }

  get(id: string): BackgroundShell | undefined {
    const started = this.#shells.get(id);
    if (started === undefined) return undefined;
    const { stdout, stderr } = started.process.output;
    return { id, text: stdout + stderr, exitCode: started.ending?.exitCode };
  }

  /** Ends the shell with its whole tree; what it said stays readable. False if there is no such shell. */
  async kill(id: string): Promise<boolean> {
    const started = this.#shells.get(id);
    if (started === undefined) return false;
    started.stop.abort();
    await started.process.finished;
    return true;
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#shells.keys()].map((id) => this.kill(id)));
  }
}
