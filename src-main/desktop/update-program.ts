import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { UpdateProgram } from '../services.ts';
import { installKind, ownAppImage } from './install-kind.ts';
import { relaunchOptions } from './relaunch-options.ts';
import { ProgramInstaller } from './update-installer.ts';

const startArguments = () => process.argv.slice(app.isPackaged ? 1 : 2);

/**
 * Describes the running app, as far as updating it goes. Returns `undefined` if it was built from source, and so has no
 * releases.
 */
export function updateProgram({
  version,
  isElectronOutdated,
}: {
  readonly version: string;
  readonly isElectronOutdated: boolean;
}): UpdateProgram | undefined {
  const { platform, arch, env, execPath: executable, resourcesPath: resources } = process;
  const feedFile = join(resources, 'app-update.yml');
  if (!app.isPackaged || !existsSync(feedFile)) return undefined;
  const kind = installKind({ platform, env, executable });
  const program = { version, feedFile, place: { platform, arch }, isForEvaluation: isElectronOutdated };
  if ('obstacle' in kind) return { ...program, way: kind };
  const installer = new ProgramInstaller({
    appImage: ownAppImage(env, executable),
    startArguments: startArguments(),
    resources,
    releaseLock: () => app.releaseSingleInstanceLock(),
  });
  return { ...program, way: { ...kind, installer } };
}

/** Starts this version again when it has ended. */
export function relaunch(): void {
  app.relaunch(relaunchOptions(startArguments(), process));
}
