import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { defaultProfileDirectory, ensureProfileDirectory, launchDirectory } from '../settings/profile.ts';
import { debuggingSwitch, parseWindowArguments } from './command-line.ts';

/** Folders of this start. All paths are absolute. */
export interface StartPlaces {
  /** Real path, so that a profile is recognised however its path is written. */
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
}

export const MISCONFIGURED_EXIT_CODE = 2;

/**
 * Decides whether to open a window, before Electron is ready. `undefined`: another window has this profile and is brought to the front, or the
 * start is refused; the process is then exiting. Throws `ProfileError`.
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
  // Chromium's own files, including the lock that prevents a second window on this profile.
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
