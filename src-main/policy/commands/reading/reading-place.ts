/** The context in which a line is examined. */
export interface ReadingPlace {
  /** Whether a real path is inside the roots, but not in the profile folder. */
  readonly contains: (real: string) => boolean;
  /** Real path; tools may not enter it. */
  readonly profileDirectory: string;
  /** The environment that commands usually get. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Whether a real path usually holds secrets. */
  readonly isSecretFile: (real: string) => Promise<boolean>;
  readonly platform: NodeJS.Platform;
}

/** Ends the examination of a line: it may not be read-only, or may read too much. */
export class NotReading extends Error {
  override readonly name = 'NotReading';
}
