import { homedir } from 'node:os';
import { secretFileTest } from '../policy/secret-files.ts';
import type { CommandSandbox, Sandbox, SandboxPorts } from '../sandbox/sandbox.ts';

/** The sandbox of commands, whose code is loaded for the first command that asks for it. */
export function openSandbox({ environment, log }: Pick<SandboxPorts, 'environment' | 'log'>): CommandSandbox {
  let loaded: Promise<Sandbox> | undefined;
  const load = async () => {
    const { Sandbox } = await import('../sandbox/sandbox.ts');
    return new Sandbox({ home: homedir(), environment, log, isSecretFile: (real) => secretFileTest()(real) });
  };
  const sandbox = () => (loaded ??= load());
  return {
    canHold: async (roots) => (await sandbox()).canHold(roots),
    command: async (given) => (await sandbox()).command(given),
  };
}
