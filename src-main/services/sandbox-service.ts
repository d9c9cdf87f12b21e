import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SandboxLack } from '../../src-preload/contract/sandbox-lack.ts';
import { secretFileTest } from '../policy/secret-files.ts';
import { lackHere } from '../sandbox/installed.ts';
import type { CommandSandbox, Sandbox, SandboxPorts } from '../sandbox/sandbox.ts';

export interface SandboxService extends CommandSandbox, Pick<Sandbox, 'lackIn'> {
  /** Whether there may be one: nothing is tried, and no root is looked at. */
  readonly isThere: () => boolean;
}

export interface SandboxServicePorts extends Pick<SandboxPorts, 'environment'> {
  /** The user wants none. */
  readonly isOff: boolean;
  /** Called whenever a command or an edit is judged that would need fewer questions with a sandbox. */
  readonly onLack: (lack: SandboxLack) => Promise<void>;
}

/** The sandbox of commands, whose code is loaded for the first command that asks for it. */
export function openSandbox({ isOff, environment, onLack }: SandboxServicePorts): SandboxService {
  let loaded: Promise<Sandbox> | undefined;
  const load = async () => {
    const { Sandbox } = await import('../sandbox/sandbox.ts');
    return new Sandbox({ home: homedir(), environment, secretFileTest: testOfSecrets });
  };
  const sandbox = () => (loaded ??= load());
  const lackAtOnce = () => (isOff ? ({ code: 'off' } as const) : lackHere());
  const lackIn = async (roots: readonly string[]) => lackAtOnce() ?? (await sandbox()).lackIn(roots);
  return {
    isThere: () => lackAtOnce() === undefined,
    lackIn,
    canHold: async (roots) => {
      const lack = await lackIn(roots);
      if (lack !== undefined) await onLack(lack);
      return lack === undefined;
    },
    command: async (given) => (await sandbox()).command(given),
  };
}

/** The user's settings of Git hold the same kind of password as those of a repository, under another name. */
function testOfSecrets(): (real: string) => boolean {
  const isSecret = secretFileTest();
  const isSettings = (real: string) => basename(real) === '.gitconfig';
  return (real) => isSecret(real) || (isSettings(real) && isSecret(real, join(dirname(real), 'config')));
}
