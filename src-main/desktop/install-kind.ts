import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstallObstacle } from '../../src-preload/contract/updates.ts';
import { isInside } from '../base/paths.ts';
import type { InstalledExtension } from '../services.ts';

export type InstallKind = { readonly extension: InstalledExtension } | { readonly obstacle: InstallObstacle };

export interface InstallPlace {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute. */
  readonly executable: string;
}

/**
 * How this copy was installed, if it can be replaced. Not a .deb or .rpm: that would run commands as root on a file that
 * every program of this user can change. Not on macOS: Squirrel.Mac needs a signed app, and ends the app itself, which
 * nobody has tried here.
 */
export function installKind({ platform, env, executable }: InstallPlace): InstallKind {
  if (platform === 'win32')
    return existsSync(join(dirname(executable), 'Uninstall Steward.exe'))
      ? { extension: '.exe' }
      : { obstacle: 'by_hand' };
  if (platform !== 'linux') return { obstacle: 'by_hand' };
  return ownAppImage(env, executable) === undefined ? { obstacle: 'by_hand' } : { extension: '.AppImage' };
}

/** A program started by another AppImage inherits its variables: only the folder tells whose they are. */
export function ownAppImage({ APPIMAGE, APPDIR }: NodeJS.ProcessEnv, executable: string): string | undefined {
  return APPDIR !== undefined && APPDIR !== '' && isInside(APPDIR, executable) ? APPIMAGE : undefined;
}
