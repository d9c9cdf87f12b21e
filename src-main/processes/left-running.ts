import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Listeners } from '../base/listeners.ts';
import { commandLineOf } from './proc-filesystem.ts';
import type { ProcessEntry } from './process-table.ts';
import type { StartedCall } from './started-call.ts';

/** Processes that outlive the call that started them: a command's `server &`, a daemon, a background shell. */
export interface LeftRunning {
  /** Only valid for the runner that started it. */
  readonly id: string;
  /** A background shell, or what it left running, as opposed to what an ordinary command left running. */
  readonly inBackground: boolean;
  /** The programs that were not started by another one of these. */
  readonly programs: readonly RunningProgram[];
}

export interface RunningProgram {
  readonly pid: number;
  /** The command line of the program. */
  readonly command: string;
}

const LOOK_EVERY_MS = 2_000;
const MAX_NAMED = 20;

/** Tracks what is left running until it ends or is ended. Checks now and then, and reports every change. */
export class LeftRunningList {
  readonly #calls = new Map<string, { readonly call: StartedCall; programs: readonly RunningProgram[] }>();
  readonly #listeners = new Listeners();
  #timer: NodeJS.Timeout | undefined;

  list(): readonly LeftRunning[] {
    return [...this.#calls.values()].flatMap(({ call, programs }) =>
      call.isAlive ? [leftRunning(call, programs)] : [],
    );
  }

  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  call(id: string): StartedCall | undefined {
    return this.#calls.get(id)?.call;
  }

  calls(): StartedCall[] {
    return [...this.#calls.values()].map(({ call }) => call);
  }

  add(call: StartedCall, programs: readonly RunningProgram[]): LeftRunning {
    this.#calls.set(call.id, { call, programs });
    this.#timer ??= setInterval(() => void this.#lookAgain(), LOOK_EVERY_MS).unref();
    this.#listeners.tell();
    return leftRunning(call, programs);
  }

  remove(call: StartedCall): void {
    if (!this.#calls.delete(call.id)) return;
    if (this.#calls.size === 0) this.close();
    this.#listeners.tell();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookAgain(): Promise<void> {
    for (const call of this.calls()) {
      if (call.isAlive) continue;
      // The known processes have ended but may have started others.
      const left = await call.lookForLeft();
      if (left.length === 0) this.remove(call);
      else this.add(call, await programsOf(left));
    }
  }
}

function leftRunning({ id, inBackground }: StartedCall, programs: readonly RunningProgram[]): LeftRunning {
  return { id, inBackground, programs };
}

/** Names only the topmost of processes that descend from each other. */
export async function programsOf(entries: readonly ProcessEntry[]): Promise<readonly RunningProgram[]> {
  const numbers = new Set(entries.map(({ pid }) => pid));
  const first = entries.filter(({ parent }) => !numbers.has(parent)).slice(0, MAX_NAMED);
  const commands = await commandsOf(first.map(({ pid }) => pid));
  return first.map(({ pid }) => ({ pid, command: commands.get(pid) ?? '' }));
}

async function commandsOf(pids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (process.platform === 'linux') return new Map(pids.map((pid) => [pid, commandLineOf(pid)]));
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'pid=', '-o', 'command=', '-p', pids.join(',')]);
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [, pid, command = ''] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), command.trim()] as const];
    }),
  );
}
