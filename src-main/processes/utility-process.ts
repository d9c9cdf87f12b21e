/**
 * A process of the app's own code that the desktop starts, with a port between both. Messages are copied as they are.
 */
export interface UtilityProcess {
  readonly pid: number;
  /** Resolves with the exit code of the process. */
  readonly exited: Promise<number>;
  /** Listens to what the process posts, from now on. */
  onMessage(listener: (message: unknown) => void): void;
  /** Listens to what the process writes to stderr, from now on. */
  onStderr(listener: (chunk: Buffer) => void): void;
  post(message: unknown): void;
  /** Asks the process to end. It does nothing if the process has ended. */
  end(): void;
}

export interface UtilityRequest {
  /** The absolute path of a module that belongs to the app. */
  readonly program: string;
  /** The name shown where the system lists processes. */
  readonly name: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** Rejects if it does not start. */
export type StartUtility = (request: UtilityRequest) => Promise<UtilityProcess>;
