import type { SearchPath } from '../processes/login-shell-path.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';

/** The environment servers start in, for diagnosing why one does not. */
export interface ServerSurroundings {
  readonly searchPath: () => Promise<SearchPath>;
  /** Steward's environment, with the user's PATH. */
  readonly environment: () => Promise<Readonly<NodeJS.ProcessEnv>>;
  readonly processes: Pick<ProcessRunner, 'run'>;
  /** The value of the keychain entry `Steward/mcp/{server}/{name}`. */
  readonly secretOf: (server: string, name: string) => Promise<string | undefined>;
  readonly knownSecrets: () => readonly string[];
}
