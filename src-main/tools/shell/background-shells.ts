import type { Mark } from '../../../src-preload/contract/events.ts';
import type { ProcessOutcome, ProcessRunner, RunningProcess } from '../../processes/process-runner.ts';
import { shellCommand } from '../../processes/shell-line.ts';

export interface BackgroundShell {
  readonly id: string;
  readonly line: string;
  /** The real path. */
  readonly directory: string;
  /** The marks, without private text, of the conversation that started it. */
  readonly marks: readonly Mark[];
  /** The id that the runner knows it by. */
  readonly processId: string;
  /** The process id of the leader of its group. */
  readonly pid: number;
  /** The output captured so far. */
  readonly output: RunningProcess['output'];
  /** The outcome, or undefined while the shell runs. */
  readonly outcome: ProcessOutcome | undefined;
  /** Whether it, or anything it left running, is alive. */
  readonly isAlive: boolean;
}

interface Started extends Pick<BackgroundShell, 'line' | 'directory' | 'marks'> {
  readonly process: RunningProcess;
  readonly stop: AbortController;
  outcome?: ProcessOutcome;
}

/** Shells that outlive the call that started them; all of them end with the app. Source: tool catalogue B.2. */
export class BackgroundShells {
  readonly #processes: ProcessRunner;
  readonly #shells = new Map<string, Started>();

  constructor(processes: ProcessRunner) {
    this.#processes = processes;
  }

  /**
   * Starts a shell and returns its id: `shell_1`, `shell_2`, … For `environment`, see `ToolContext.commandEnvironment`.
   */
  async start(
    { line, directory, marks }: Pick<BackgroundShell, 'line' | 'directory' | 'marks'>,
    environment?: Readonly<NodeJS.ProcessEnv>,
  ): Promise<string> {
    const stop = new AbortController();
    const process = await this.#processes.start({
      ...shellCommand(line),
      line,
      directory,
      signal: stop.signal,
      inBackground: true,
      environment,
    });
    const id = `shell_${this.#shells.size + 1}`;
    const started: Started = { line, directory, marks, process, stop };
    this.#shells.set(id, started);
    void process.finished.then((outcome) => {
      started.outcome = outcome;
    });
    return id;
  }

  get(id: string): BackgroundShell | undefined {
    const started = this.#shells.get(id);
    if (started === undefined) return undefined;
    const { line, directory, marks, process, outcome } = started;
    const isAlive = outcome === undefined || this.#processes.isLeftRunning(process.id);
    const { id: processId, pid, output } = process;
    return { id, line, directory, marks, processId, pid, output, outcome, isAlive };
  }

  /** The ids of the shells that still have a running process. */
  alive(): string[] {
    return [...this.#shells.keys()].filter((id) => this.get(id)?.isAlive);
  }

  /**
   * Ends the shell and its whole process tree, always within five seconds; its output stays readable. False if there is
   * no such shell.
   */
  async kill(id: string): Promise<boolean> {
    const started = this.#shells.get(id);
    if (started === undefined) return false;
    const { process, stop, outcome } = started;
    if (outcome !== undefined) {
      await this.#processes.endLeftRunning(process.id);
      return true;
    }
    stop.abort();
    await process.finished;
    return true;
  }
}
