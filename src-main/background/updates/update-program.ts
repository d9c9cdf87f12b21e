import type { InstallObstacle } from '../../../src-preload/contract/updates.ts';
import type { ReleasePlace } from './release-requests.ts';

/** The extension of the file that replaces this copy. */
export type InstalledExtension = '.AppImage' | '.exe';

/** The running program, as far as updating it goes. */
export interface UpdateProgram {
  readonly version: string;
  readonly place: ReleasePlace;
  /** The absolute path of the package's `app-update.yml`. */
  readonly feedFile: string;
  /** Whether it runs with the old Electron for evaluation. Only a test updates that, from a feed on this machine. */
  readonly isForEvaluation: boolean;
  readonly way: UpdateWay;
}

/** The way in which the program gets a new version. */
export type UpdateWay =
  | { readonly extension: InstalledExtension; readonly installer: UpdateInstaller }
  | { readonly obstacle: InstallObstacle };

/** Puts a downloaded file in the place of the running program. */
export interface UpdateInstaller {
  /**
   * Returns why it can't be done as things are now, or `null` if it can: a folder's permissions, or the disk that it is
   * on, may change.
   */
  obstacle(): InstallObstacle | null;
  /**
   * Checks the file again, installs it and starts it. Nothing else may happen afterwards. Rejects with the reason if it
   * was not installed.
   */
  install(update: DownloadedUpdate): Promise<void>;
}

export interface DownloadedUpdate {
  /** The absolute path of the file. */
  readonly path: string;
  /** The file's SHA-512 when the user confirmed it, in Base64. */
  readonly sha512: string;
}
