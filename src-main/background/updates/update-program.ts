import type { InstallObstacle } from '../../../src-preload/contract/updates.ts';
import type { ReleasePlace } from './release-requests.ts';

/** The extension of the file that replaces this copy. */
export type InstalledExtension = '.AppImage' | '.exe';

/** The running program, as far as updating it goes. */
export interface UpdateProgram {
  readonly version: string;
  readonly place: ReleasePlace;
  /** Absolute: `app-update.yml` of the package. */
  readonly feedFile: string;
  /** The old Electron for evaluation, which only a test updates: from a feed on this machine. */
  readonly isForEvaluation: boolean;
  readonly way: UpdateWay;
}

/** How it gets a new version. */
export type UpdateWay =
  | { readonly extension: InstalledExtension; readonly installer: UpdateInstaller }
  | { readonly obstacle: InstallObstacle };

/** Puts a downloaded file in the place of the running program. */
export interface UpdateInstaller {
  /** Why it can't be done as things are now: a folder's permissions, or the disk that it is on, may change. */
  obstacle(): InstallObstacle | null;
  /**
   * Checks the file again, installs it and starts it. Nothing else may happen afterwards. Rejects with the reason if it
   * was not installed.
   */
  install(update: DownloadedUpdate): Promise<void>;
}

export interface DownloadedUpdate {
  /** Absolute. */
  readonly path: string;
  /** What its SHA-512 was when the user confirmed it, in Base64. */
  readonly sha512: string;
}
