/** The context in which a line is examined. */
export interface ReadingPlace {
  /** Whether a real path is inside the roots, but not in the profile folder. */
  readonly contains: (real: string) => boolean;
  /** The real path of the profile folder, which tools may not enter. */
  readonly profileDirectory: string;
  /** The environment that commands usually get. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Whether a real path usually holds secrets. */
  /** `given` is the absolute path by which the command reaches it. */
  readonly isSecretFile: (real: string, given?: string) => Promise<boolean>;
  readonly platform: NodeJS.Platform;
  /** The work done for the whole line, which may name one folder many times. */
  readonly work: ReadingWork;
}

/**
 * Beyond this many files and folders, Steward asks: a command that reads that much justifies a question, and checking
 * would take too long.
 */
const MAX_ENTRIES = 100_000;
const MAX_MS = 3_000;

/** Counts what was looked through for one line. */
export class ReadingWork {
  #entries = 0;
  #deadline: number | undefined;

  /** Throws `NotReading` if this is too much. */
  add(entries: number): void {
    this.#deadline ??= performance.now() + MAX_MS;
    this.#entries += entries;
    if (this.#entries > MAX_ENTRIES || performance.now() > this.#deadline)
      throw new NotReading('too much to look through');
  }
}

/** Ends the examination of a line that may not be read-only, or may read too much. */
export class NotReading extends Error {
  override readonly name = 'NotReading';
}
