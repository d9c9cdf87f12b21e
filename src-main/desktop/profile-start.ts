import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { defaultProfileDirectory, ensureProfileDirectory, launchDirectory } from '../settings/profile.ts';
import { debuggingSwitch, parseWindowArguments } from './command-line.ts';

/** Where a window starts from. All paths are absolute. */
export interface StartPlaces {
  /** Real path: however it is written, a profile is one profile. */
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
}

export const MISCONFIGURED_EXIT_CODE = 2;

/**
 * Decides whether there is to be a window, before Electron is ready. `undefined`: another one has this profile and comes to
 * the front, or this start is refused; the process is ending then. Throws `ProfileError`.
 */
export function startPlaces(argv: readonly string[], env: NodeJS.ProcessEnv): StartPlaces | undefined {
  const debugging = app.isPackaged ? debuggingSwitch(argv) : undefined;
  if (debugging !== undefined) {
    process.stderr.write(`Steward doesn't start with ${debugging}: a debugger could answer questions for you.\n`);
    app.exit(MISCONFIGURED_EXIT_CODE);
    return undefined;
  }
  const given = parseWindowArguments(argv);
  const launched = launchDirectory(env);
  const profile = given.profile === undefined ? defaultProfileDirectory(env) : resolve(launched, given.profile);
  const profileDirectory = realpathSync(ensureProfileDirectory(profile));
  // Chromium's own files, and with them the lock that makes a second window on this profile give way.
  app.setPath('userData', join(profileDirectory, 'window'));
  app.setPath('sessionData', join(profileDirectory, 'window'));
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write(
      `Steward is already open with the profile ${profileDirectory}. Its window is brought to the front.\n`,
    );
    app.exit(0);
    return undefined;
  }
  return {
    profileDirectory,
    launchDirectory: launched,
    workspace: given.workspace === undefined ? undefined : resolve(launched, given.workspace),
  };
}
