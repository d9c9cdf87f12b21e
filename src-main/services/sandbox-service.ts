import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { secretFileTest } from '../policy/secret-files.ts';
import { bubblewrapHere } from '../sandbox/installed.ts';
import type { CommandSandbox, Sandbox, SandboxPorts } from '../sandbox/sandbox.ts';

export interface SandboxService extends CommandSandbox, Pick<SandboxServicePorts, 'isOff'> {
  /** Whether there may be one: nothing is tried, and no root is looked at. */
  readonly isThere: () => boolean;
}

export interface SandboxServicePorts extends Pick<SandboxPorts, 'environment' | 'log'> {
  /** The user wants none. */
  readonly isOff: boolean;
}

/** The sandbox of commands, whose code is loaded for the first command that asks for it. */
export function openSandbox({ isOff, environment, log }: SandboxServicePorts): SandboxService {
  let loaded: Promise<Sandbox> | undefined;
  const load = async () => {
    const { Sandbox } = await import('../sandbox/sandbox.ts');
    return new Sandbox({ home: homedir(), environment, log, secretFileTest: testOfSecrets });
  };
  const sandbox = () => (loaded ??= load());
  const isThere = () => !isOff && bubblewrapHere() !== undefined;
  return {
    isOff,
    isThere,
    canHold: async (roots) => isThere() && (await sandbox()).canHold(roots),
    command: async (given) => (await sandbox()).command(given),
  };
}

/** The user's settings of Git hold the same kind of password as those of a repository, under another name. */
function testOfSecrets(): (real: string) => boolean {
  const isSecret = secretFileTest();
  const isSettings = (real: string) => basename(real) === '.gitconfig';
  return (real) => isSecret(real) || (isSettings(real) && isSecret(real, join(dirname(real), 'config')));
}
