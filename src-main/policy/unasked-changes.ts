import { isInside } from '../base/paths.ts';
import { untilAborted } from '../base/until-aborted.ts';

/**
 * The changes of files that nobody was asked about, in all conversations. An answer about a command is bound to their
 * number in its roots: `sh build.sh` may run `lib/x.sh`, which it doesn't name, and which a rule for edits or a grant to
 * work freely could change while the user reads the question. All places are real paths of files and folders.
 */
export class UnaskedChanges {
  readonly #counts = new Map<string, number>();
  readonly #commands = new Map<Promise<unknown>, readonly string[]>();

  /** What is at or below these places is about to be changed, or has been. */
  add(places: readonly string[]): void {
    for (const place of places) this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  /** Does the work of a command that may change anything in these places. What it changed is added before it ends. */
  async during<T>(places: readonly string[], command: () => Promise<T>): Promise<T> {
    const done = command();
    this.#commands.set(done, places);
    try {
      return await done;
    } finally {
      this.#commands.delete(done);
    }
  }

  /**
   * The number of changes in these roots. Waits for the commands that run there now, because nobody knows yet what they
   * change. Rejects with the signal's reason.
   */
  async count(roots: readonly string[], signal: AbortSignal): Promise<number> {
    const isThere = (place: string) => roots.some((root) => isInside(root, place) || isInside(place, root));
    const running = [...this.#commands].flatMap(([done, places]) => (places.some(isThere) ? [done] : []));
    await untilAborted(Promise.allSettled(running), signal);
    return [...this.#counts].reduce((sum, [place, count]) => (isThere(place) ? sum + count : sum), 0);
  }
}
