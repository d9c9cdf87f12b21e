import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import type { ProcessRunner } from './process-runner.ts';

/** The folders in which programs are looked for, and who named them. */
export interface SearchPath {
  /** The folders, written as in `PATH`. */
  readonly path: string;
  readonly source: 'environment' | 'login-shell';
}

export interface LoginShellPorts {
  readonly processes: Pick<ProcessRunner, 'run'>;
  /** The environment of this process. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The platform, by default this machine's. */
  readonly platform?: NodeJS.Platform;
  /** A time limit for tests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 3_000;
/** With these, oh-my-zsh neither looks for updates nor opens tmux for a shell that nobody sees. */
const UNATTENDED = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' };

/**
 * The `PATH` of the user's login shell. An app that is started from a dock or a menu has the system's, without what the
 * user's profile adds (Homebrew, nvm, `~/.local/bin`). An app that is started from a terminal has that terminal's,
 * which holds more than a new shell would (a virtual environment, another version of Node). Then no shell is asked, nor
 * is one on Windows, where there is one `PATH` for all.
 */
export class LoginShellPath {
  readonly #ports: LoginShellPorts;
  #asked: Promise<SearchPath> | undefined;

  constructor(ports: LoginShellPorts) {
    this.#ports = ports;
  }

  /** Asks the shell once, for three seconds at most. If that fails, it resolves with our own `PATH`. Never rejects. */
  get(): Promise<SearchPath> {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask(): Promise<SearchPath> {
    const { env, platform = process.platform, processes, timeoutMs = TIMEOUT_MS } = this.#ports;
    const own: SearchPath = { path: env.PATH ?? env.Path ?? '', source: 'environment' };
    const shell = loginShell(env);
    if (platform === 'win32' || shell === undefined || isTerminal(env)) return own;
    // The marker separates the path from what the profile prints before and after it.
    const marker = randomUUID();
    const line = `/bin/sh -c 'printf "%s%s%s" ${marker} "$PATH" ${marker}'`;
    try {
      const { stdout } = await processes.run({
        command: shell,
        args: ['-ilc', line],
        directory: userInfo().homedir,
        environment: { ...childEnvironment(env), ...UNATTENDED },
        timeoutMs,
        signal: new AbortController().signal,
      });
      const folders = stdout.split(marker)[1]?.split(delimiter).filter(isAbsolute) ?? [];
      if (folders.length === 0) return own;
      const more = own.path.split(delimiter).filter((folder) => folder !== '');
      return { path: [...new Set([...folders, ...more])].join(delimiter), source: 'login-shell' };
    } catch {
      // A shell that cannot be started says nothing; our own path is as good as it was.
      return own;
    }
  }
}

function isTerminal({ TERM = '' }: Readonly<NodeJS.ProcessEnv>): boolean {
  return TERM !== '' && TERM !== 'dumb';
}

function loginShell({ SHELL = '' }: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const shell = SHELL === '' ? userInfo().shell : SHELL;
  return shell !== null && isAbsolute(shell) ? shell : undefined;
}
