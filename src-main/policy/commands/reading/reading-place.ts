/** What a line is examined with. */
export interface ReadingPlace {
  /** Whether a real path is inside the roots, and not in the profile folder. */
  readonly contains: (real: string) => boolean;
  /** Real path; no tool may enter it. */
  readonly profileDirectory: string;
  /** What commands are given. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Whether a real path usually holds secrets. */
  readonly isSecretFile: (real: string) => Promise<boolean>;
  readonly platform: NodeJS.Platform;
}

/** Ends the examination of a line: it may do more than read what may be read. */
export class NotReading extends Error {
  override readonly name = 'NotReading';
}
