import type { Access } from '../policy/access.ts';
import { type BatchPlace, CallBatch } from '../policy/call-batch.ts';
import { ToolFailure } from '../tools/contract.ts';
import type { PathLocks } from './path-locks.ts';

/** What a call of a message waits for. A call never waits for one that comes after it. */
export interface CallPlace {
  readonly questions: BatchPlace;
  /**
   * Resolves when it is the call's turn: a command waits for all earlier writes, a write for all earlier commands, so
   * that a command runs what was there when the user was asked about it. Returns whether it had to wait for another
   * call's effects: the assessment is then stale.
   */
  turn(access: readonly Access[]): Promise<boolean>;
  /** Resolves when all earlier writes are done, declined or failed. Returns whether there were any. */
  earlierWrites(): Promise<boolean>;
  /**
   * Does the work of a call. Meanwhile no other call of the message, or one inside it, writes the same path, and
   * nothing is written while a command is asked about or runs. See `PathLocks`.
   */
  whileWriting<T>(access: readonly Access[], work: (waited: boolean) => Promise<T>): Promise<T>;
}

/** What a call does that others of its message must not do meanwhile. */
interface Work {
  readonly writes: boolean;
  /** The call runs a command that may do more than read. */
  readonly runs: boolean;
}

/** What later calls know about a call. */
interface Progress {
  /** Resolves when the call has its turn or is done, with what it does. */
  readonly placed: Promise<Work>;
  readonly ended: Promise<void>;
  readonly place: (work: Work) => void;
  readonly end: () => void;
}

const NO_WORK: Work = { writes: false, runs: false };

/** The calls of one message run concurrently, as far as their order allows. Source: tool catalogue A.8. */
export class CallOrder {
  readonly #calls: readonly Progress[];
  readonly #batch: CallBatch;
  readonly #locks: PathLocks;

  /**
   * `concurrent` is how many calls may be started at once, in order. `locks` are shared with calls of other messages
   * that run at the same time.
   */
  constructor(size: number, concurrent: number, locks: PathLocks) {
    this.#locks = locks;
    this.#calls = Array.from({ length: size }, progress);
    this.#batch = new CallBatch(size, concurrent);
  }

  async run(index: number, work: (place: CallPlace) => Promise<void>): Promise<void> {
    const questions = this.#batch.place(index);
    questions.start();
    try {
      await work({
        questions,
        turn: (access) => this.#turn(index, access, questions),
        earlierWrites: () => this.#earlier('writes', index, questions),
        whileWriting: (access, run) => this.#whileWriting(access, run, questions),
      });
    } finally {
      this.#calls[index]?.place(NO_WORK);
      this.#calls[index]?.end();
      questions.settle();
    }
  }

  async #turn(index: number, access: readonly Access[], questions: BatchPlace): Promise<boolean> {
    const work = { writes: writtenPaths(access).length > 0, runs: runsCommand(access) };
    if (work.writes) await Promise.all(this.#before(index).map((call) => call.placed));
    this.#calls[index]?.place(work);
    const hasCommand = access.some((each) => each.kind === 'command');
    const afterWrites = hasCommand && (await this.#earlier('writes', index, questions));
    const afterCommands = work.writes && (await this.#earlier('runs', index, questions));
    return afterWrites || afterCommands;
  }

  /** Waits for the earlier calls that do this. Returns whether there were any. */
  async #earlier(what: keyof Work, index: number, questions: BatchPlace): Promise<boolean> {
    const before = this.#before(index);
    const placed = await Promise.all(before.map((call) => call.placed));
    const awaited = before.filter((_, at) => placed[at]?.[what] === true);
    if (awaited.length === 0) return false;
    questions.hold();
    await Promise.all(awaited.map(({ ended }) => ended));
    questions.start();
    return true;
  }

  #before(index: number): readonly Progress[] {
    return this.#calls.slice(0, index);
  }

  #whileWriting<T>(
    access: readonly Access[],
    work: (waited: boolean) => Promise<T>,
    questions: BatchPlace,
  ): Promise<T> {
    const claim = { paths: writtenPaths(access), runs: runsCommand(access) };
    if (!this.#locks.isHeld(claim)) return this.#locks.run(claim, work);
    questions.hold();
    return this.#locks.run(claim, (waited) => {
      questions.start();
      return work(waited);
    });
  }
}

/** A call that is impossible now may become possible after earlier writes, such as a second edit of the same place. */
export async function assessedInOrder<T>(assess: () => Promise<T>, place: CallPlace): Promise<T> {
  try {
    return await assess();
  } catch (error) {
    if (error instanceof ToolFailure && (await place.earlierWrites())) return assess();
    throw error;
  }
}

function writtenPaths(access: readonly Access[]): readonly string[] {
  return access.flatMap((each) => (each.kind === 'file' && each.class === 'write' ? [each.path] : []));
}

function runsCommand(access: readonly Access[]): boolean {
  return access.some((each) => each.kind === 'command' && each.reading === undefined);
}

function progress(): Progress {
  let place: (work: Work) => void = () => undefined;
  let end: () => void = () => undefined;
  const placed = new Promise<Work>((resolve) => {
    place = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { placed, ended, place, end };
}
