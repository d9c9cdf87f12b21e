/**
 * A process of the app's own code that the desktop starts, with a port between both. Messages are copied as they are.
 */
export interface UtilityProcess {
  readonly pid: number;
  /** Resolves with its exit code. */
  readonly exited: Promise<number>;
  /** What it posts, from now on. */
  onMessage(listener: (message: unknown) => void): void;
  /** What it writes to stderr, from now on. */
  onStderr(listener: (chunk: Buffer) => void): void;
  post(message: unknown): void;
  /** Asks it to end; nothing if it has ended. */
  end(): void;
}

export interface UtilityRequest {
  /** The absolute path of a module that belongs to the app. */
  readonly program: string;
  /** Shown where the system lists processes. */
  readonly name: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** Rejects if it does not start. */
export type StartUtility = (request: UtilityRequest) => Promise<UtilityProcess>;
