import { untilAborted } from '../base/until-aborted.ts';

/**
 * The changes of files that nobody was asked about, in all conversations. An answer about a command is bound to their
 * number: `sh build.sh` may run `lib/x.sh`, which it doesn't name, and which a rule for edits or a grant to work freely
 * could change while the user reads the question.
 */
export class UnaskedChanges {
  #count = 0;
  readonly #commands = new Set<Promise<unknown>>();

  /** A file is about to be changed, or has been. */
  add(): void {
    this.#count += 1;
  }

  /** Does the work of a command that may change any file of a root. What it changed is added before it ends. */
  async during<T>(command: () => Promise<T>): Promise<T> {
    const done = command();
    this.#commands.add(done);
    try {
      return await done;
    } finally {
      this.#commands.delete(done);
    }
  }

  /** Waits for the commands that run now, because nobody knows yet what they change. Rejects with the signal's reason. */
  async count(signal: AbortSignal): Promise<number> {
    await untilAborted(Promise.allSettled(this.#commands), signal);
    return this.#count;
  }
}
