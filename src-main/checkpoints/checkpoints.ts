import { isDeepStrictEqual } from 'node:util';
import type { ShownChange } from '../../src-preload/contract/conversations.ts';
import { type FileChanges, NO_CHANGES, type NotKept } from '../../src-preload/contract/file-changes.ts';
import { JobThreads, workerUrl } from '../base/job-threads.ts';
import { isInside } from '../base/paths.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { Leases } from '../storage/conversations/leases.ts';
import type { CheckpointAnswer, CheckpointJob, CheckpointJobs, JobKind } from './checkpoint-jobs.ts';
import type { BegunCommand, CommandToBegin, EndedCommand, RecoveredCommand, WrittenFile } from './commands.ts';
import { type DeletedFile, isMassDeletion } from './mass-deletion.ts';
import type { KeptAmount, KeptLimits } from './retention.ts';
import { RunningMarks } from './running-marks.ts';
import type { ChangeAsked } from './undo/change-of.ts';
import type { ToolUndoAsked } from './undo/tool-undos.ts';
import type { CarryAsked, RedoAsked, UndoAsked, UndoCarried, UndoPlanned } from './undo/undo-work.ts';

export type {
  CarryAsked,
  DeletedFile,
  KeptAmount,
  RecoveredCommand,
  RedoAsked,
  UndoAsked,
  UndoCarried,
  UndoPlanned,
  WrittenFile,
};

/** Longer nobody waits for a command to begin. */
const MAX_WAIT_MS = 3_000;
/** An hour of processor time is more than the largest folder takes. */
const JOB_MS = 3_600_000;

export interface EndedCheckpoint {
  readonly changes: Omit<FileChanges, 'id'>;
  readonly written: readonly WrittenFile[];
}

/** A command that is under way. */
export interface Checkpoint {
  /** What is not kept. */
  readonly notKept: readonly NotKept[];
  /** Called once, when the command has ended in whatever way. `findsMadeAgain`: see `CommandToEnd`. */
  end(findsMadeAgain: boolean): Promise<EndedCheckpoint>;
  /** What it changed is in the conversation. Until then, it is listed at the next start if the process dies. */
  recorded(): void;
}

export interface CheckpointsOptions {
  /** Read each time. */
  readonly limits: () => KeptLimits;
  /** Tell whether the process of a command is alive. */
  readonly leases: Pick<Leases, 'acquire'>;
  /** The paths of those deleted files that Git ignores or has. Called only for very many. */
  readonly heldByGit: (files: readonly DeletedFile[]) => Promise<ReadonlySet<string>>;
  /** A command waits so long for what could be lost to be kept. */
  readonly maxWaitMs?: number;
}

/**
 * What was in the roots before something ran there, so that its changes can be listed and undone. All of the work is
 * done in a thread. Source: docs/decisions/074-checkpoints.md.
 */
export class Checkpoints {
  readonly #profile: string;
  readonly #limits: () => KeptLimits;
  readonly #maxWaitMs: number;
  readonly #marks: RunningMarks;
  readonly #heldByGit: CheckpointsOptions['heldByGit'];
  readonly #threads = new JobThreads<CheckpointJob, CheckpointAnswer>({
    entry: () => workerUrl('checkpoint-worker', import.meta.url),
    maxMemoryMb: 1024,
    maxThreads: 1,
  });
  readonly #closed = new AbortController();
  /** A look that nobody waits for. Never rejects. */
  #look: Promise<unknown> = Promise.resolve();
  #isLooking = false;
  #keptTo: KeptLimits;

  /** `profile`: the real path of the profile folder. */
  constructor(profile: string, { limits, leases, heldByGit, maxWaitMs = MAX_WAIT_MS }: CheckpointsOptions) {
    this.#profile = profile;
    this.#limits = limits;
    this.#marks = new RunningMarks(profile, leases);
    this.#heldByGit = heldByGit;
    this.#maxWaitMs = maxWaitMs;
    this.#keptTo = limits();
  }

  /** Begins to keep what is in the roots, so that a command that is asked about need not wait for it. */
  prepare(roots: readonly string[]): void {
    if (this.#isLooking) return;
    this.#looks(this.#run('look', { roots: outermost(roots) }));
  }

  /**
   * Keeps what could be lost before a command runs. Waits for it no longer than three seconds; what is not kept then is
   * in `notKept`.
   */
  async begin(command: CommandToBegin): Promise<Checkpoint> {
    const roots = outermost(command.roots);
    const tooLate = AbortSignal.timeout(this.#maxWaitMs);
    let beginning: Promise<BegunCommand> | undefined;
    try {
      // A look at a huge folder goes on without this command; another one would only be queued behind it.
      await untilAborted(this.#look, tooLate);
      beginning = this.#run('begin', { ...command, roots });
      const begun = await untilAborted(beginning, tooLate);
      const mark = begun.nums.length === 0 ? undefined : this.#marks.set(begun.nums);
      return {
        notKept: begun.notKept,
        end: (findsMadeAgain) => this.#end(begun, findsMadeAgain),
        recorded: () => mark?.remove(),
      };
    } catch {
      // Too late, or the store fails: that costs the undo, not the command, and the user is told that nothing is kept.
      if (beginning !== undefined) this.#looks(beginning.then(({ nums }) => this.#run('abandon', { nums })));
      return unkept(roots);
    }
  }

  /**
   * Lists what commands changed whose process died before it was recorded, and passes it on to be recorded. Does nothing
   * if there are none. What can't be listed now is tried again at the next start, and rejects once the others are done.
   */
  async recover(record: (recovered: RecoveredCommand) => void): Promise<void> {
    const failures: unknown[] = [];
    for (const mark of this.#marks.interrupted())
      try {
        const recovered = await this.#run('recover', { nums: mark.nums });
        if (recovered !== null) record({ ...recovered, changes: await this.#withMassDeletion(recovered, mark.nums) });
        mark.remove();
      } catch (error) {
        failures.push(error);
        mark.leave();
      }
    if (failures.length > 0) throw failures[0];
  }

  planUndo(asked: UndoAsked): Promise<UndoPlanned> {
    return this.#run('plan-undo', asked);
  }

  carryOutUndo(asked: UndoAsked & CarryAsked): Promise<UndoCarried> {
    return this.#run('carry-out-undo', asked);
  }

  /** Resolves with null if there is nothing to redo. */
  planRedo(asked: RedoAsked): Promise<UndoPlanned | null> {
    return this.#run('plan-redo', asked);
  }

  carryOutRedo(asked: RedoAsked & CarryAsked): Promise<UndoCarried> {
    return this.#run('carry-out-redo', asked);
  }

  /** Before tools' changes are undone. Resolves with a number for `noteUndone`. */
  keepForRedo(asked: ToolUndoAsked): Promise<number> {
    return this.#run('keep-for-redo', asked);
  }

  async noteUndone(operation: number): Promise<void> {
    await this.#run('note-undone', { operation });
  }

  changeOf(asked: ChangeAsked): Promise<ShownChange> {
    return this.#run('change-of', asked);
  }

  /** Counts what is kept. */
  kept(): Promise<KeptAmount> {
    return this.#run('kept', {});
  }

  /** Deletes everything that is kept. Resolves with false, and deletes nothing, while a command or an undo needs it. */
  clear(): Promise<boolean> {
    return this.#run('clear', {});
  }

  /** To be called when the limits may have changed: what is beyond them is deleted at once. */
  followLimits(): void {
    const limits = this.#limits();
    if (isDeepStrictEqual(limits, this.#keptTo)) return;
    this.#keptTo = limits;
    // Every job keeps to the limits first.
    this.#looks(this.#run('kept', {}));
  }

  close(): void {
    this.#closed.abort();
  }

  async #end({ nums, notKept }: BegunCommand, findsMadeAgain: boolean): Promise<EndedCheckpoint> {
    const ended = await this.#run('end', { nums, findsMadeAgain });
    return { changes: { ...(await this.#withMassDeletion(ended, nums)), notKept }, written: ended.written };
  }

  async #withMassDeletion(
    { changes, deleted }: EndedCommand,
    nums: readonly number[],
  ): Promise<EndedCommand['changes']> {
    if (deleted === undefined) return changes;
    const inGit = deleted.files.filter(({ repository }) => repository !== undefined);
    // If Git can't be asked, nothing is known to be held.
    const held = inGit.length === 0 ? new Set() : await this.#heldByGit(inGit).catch(() => new Set());
    const lost = deleted.files.filter(({ path }) => !held.has(path)).length;
    if (!isMassDeletion(lost, deleted.of)) return changes;
    await this.#run('keep-longer', { nums });
    return { ...changes, massDeleted: lost };
  }

  /** Notes work that nobody waits for, except for the next command. */
  #looks(work: Promise<unknown>): void {
    this.#isLooking = true;
    this.#look = work
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #run<Kind extends JobKind>(kind: Kind, asked: CheckpointJobs[Kind]['asked']): Promise<Answer<Kind>> {
    const job = { kind, profile: this.#profile, limits: this.#limits(), ...asked } as CheckpointJob;
    const answer = await this.#threads.run(job, { signal: this.#closed.signal, timeoutMs: JOB_MS });
    return answer as Answer<Kind>;
  }
}

type Answer<Kind extends JobKind> = CheckpointJobs[Kind]['answer'];

/** The command began before everything was kept: what it changes can't be told, so it may have written anything. */
function unkept(roots: readonly string[]): Checkpoint {
  const notKept = roots.map((path) => ({ path, why: { code: 'unfinished' } }) as const);
  const written = roots.map((path) => ({ path, digest: null }));
  const end = async () => ({ changes: { files: [], counts: NO_CHANGES, notKept }, written });
  return { notKept, end, recorded: () => undefined };
}

/** Those that are inside no other. */
function outermost(roots: readonly string[]): string[] {
  const each = [...new Set(roots)];
  return each.filter((root) => !each.some((other) => other !== root && isInside(other, root)));
}
