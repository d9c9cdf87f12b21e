import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Leases } from '../storage/conversations/leases.ts';
import { runningFolder } from './checkpoint-folder.ts';

/** Says that a command is under way, and goes on saying so if its process dies. */
export interface RunningMark {
  /** The numbers of the command. */
  readonly nums: readonly number[];
  /** What the command changed is recorded. */
  remove(): void;
  /** Leaves it for the next start. */
  leave(): void;
}

/**
 * A file for each command that is under way, named after its numbers. The process of the command holds a lease of the
 * same name: a mark that nobody holds is of a process that died. To see that there is none takes no database.
 */
export class RunningMarks {
  readonly #folder: string;
  readonly #leases: Pick<Leases, 'acquire'>;

  constructor(profile: string, leases: Pick<Leases, 'acquire'>) {
    this.#folder = runningFolder(profile);
    this.#leases = leases;
  }

  set(nums: readonly number[]): RunningMark {
    const name = nums.join('-');
    const mark = this.#held(name);
    if (mark === undefined) throw new TypeError(`The new command ${name} is held by another process`);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#folder, name), '');
    return mark;
  }

  /** The marks of processes that died, each held once it is reached. */
  *interrupted(): Generator<RunningMark, void, undefined> {
    for (const name of namesIn(this.#folder)) {
      const mark = this.#held(name);
      // Another process may have removed it just before it could be held.
      if (mark !== undefined && existsSync(join(this.#folder, name))) yield mark;
      else mark?.leave();
    }
  }

  /** Undefined if a living process holds it. */
  #held(name: string): RunningMark | undefined {
    const lease = this.#leases.acquire(`command ${name}`);
    if (!('release' in lease)) return undefined;
    return {
      nums: numsIn(name),
      remove: () => {
        rmSync(join(this.#folder, name), { force: true });
        lease.release();
      },
      leave: () => lease.release(),
    };
  }
}

/** The numbers of all commands that have a mark. */
export function markedCommands(profile: string): ReadonlySet<number> {
  return new Set(namesIn(runningFolder(profile)).flatMap(numsIn));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function numsIn(name: string): number[] {
  return name.split('-').map(Number);
}
