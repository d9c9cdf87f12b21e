import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { app } from 'electron';
import { defaultProfileDirectory, ensureProfileDirectory, launchDirectory } from '../settings/profile.ts';
import { refuseOtherVersions } from '../storage/database/schema-version.ts';
import { NoSandboxError, RefusedSwitchError, refusedSwitch, UNSANDBOXED } from './accepted-switches.ts';
import { APP_ID } from './app-id.ts';
import { parseWindowArguments } from './command-line.ts';
import { ownAppImage } from './install-kind.ts';
import { type TerminalStart, terminalStart } from './terminal-start.ts';

/** The folders of this start. All paths are absolute. */
export interface StartPlaces {
  /** Real path, so that a profile is recognised however its path is written. */
  readonly profileDirectory: string;
  readonly launchDirectory: string;
  readonly workspace: string | undefined;
}

export const MISCONFIGURED_EXIT_CODE = 2;

/**
 * Undefined if this start is for a window. Only the packaged app starts in a terminal; from source, there is `ask.ts`.
 */
export function startInTerminal(argv: readonly string[]): TerminalStart | undefined {
  return app.isPackaged ? terminalStart(argv, process.platform) : undefined;
}

/** Absolute path of the profile that this start is for; it may not exist. */
export function givenProfile(argv: readonly string[], env: NodeJS.ProcessEnv): string {
  const { profile } = parseWindowArguments(argv);
  return profile === undefined ? defaultProfileDirectory(env) : resolve(launchFolder(env), profile);
}

/**
 * Decides whether to open a window, before Electron is ready. Undefined if another window has this profile, which is
 * brought to the front; the process is then exiting. Throws `RefusedSwitchError`, `NoSandboxError`, `NewerProfileError`
 * and `OlderProfileError` before anything is touched, and `ProfileError`.
 */
export function startPlaces(argv: readonly string[], env: NodeJS.ProcessEnv): StartPlaces | undefined {
  if (process.platform === 'win32') app.setAppUserModelId(app.isPackaged ? APP_ID : process.execPath);
  if (app.isPackaged) refuseSwitches(argv, env);
  const given = parseWindowArguments(argv);
  const launched = launchFolder(env);
  const profile = givenProfile(argv, env);
  refuseOtherVersions(profile);
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

/** The folder that the program was started in may no longer exist: then its own, where nobody keeps a `.env`. */
function launchFolder(env: NodeJS.ProcessEnv): string {
  try {
    return launchDirectory(env);
  } catch {
    return dirname(process.execPath);
  }
}

function refuseSwitches(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const refused = refusedSwitch(argv, process.platform);
  if (refused !== undefined) throw new RefusedSwitchError(refused);
  // The environment can set this too (ELECTRON_DISABLE_SANDBOX), and an AppImage sets it where it can't have the
  // sandbox.
  const unsandboxed = UNSANDBOXED.find((name) => app.commandLine.hasSwitch(name));
  if (unsandboxed !== undefined)
    throw new NoSandboxError(unsandboxed, ownAppImage(env, process.execPath) !== undefined);
}
