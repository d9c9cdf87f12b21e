import { z } from 'zod';
import { request } from './route.ts';

/**
 * Why this copy can't replace itself. With `evaluation`, it runs on the old Electron for evaluation. With `by_hand`, it
 * was not installed in a way that is updated from inside. With `not_writable`, its file or folder can't be changed.
 * With `no_file`, the release has no file for it.
 */
export type InstallObstacle = 'evaluation' | 'by_hand' | 'not_writable' | 'no_file';

/**
 * `unreachable`: no connection. `no_answer`: none in time. `refused`: an answer with an error status. `no_release`:
 * nothing was released for this system. `unusable`: the answer can't be used. `elsewhere`: the answer led to a site
 * that does not belong to the releases. `wrong_file`: not the file that was announced. `not_stored`: it could not be
 * written. `not_installed`: it was downloaded, but this version is still the one that runs.
 */
export type UpdateFailureCode =
  | 'unreachable'
  | 'no_answer'
  | 'refused'
  | 'no_release'
  | 'unusable'
  | 'elsewhere'
  | 'wrong_file'
  | 'not_stored'
  | 'not_installed';

export interface UpdateFailure {
  readonly code: UpdateFailureCode;
  /** Steward's own words, or the system's. For `unreachable` it is a sentence without its full stop. */
  readonly detail: string | null;
}

/** A version that is newer than the running one. */
export interface NewerVersion {
  readonly version: string;
  /** ISO 8601. */
  readonly releasedAt: string | null;
  /** The size of the file for this copy, or null if there is none. */
  readonly bytes: number | null;
  /** The user dismissed the notice about it. */
  readonly isDismissed: boolean;
}

export type UpdateDownloadState =
  | { readonly name: 'none' }
  /** `received` of `total` bytes have arrived. */
  | { readonly name: 'downloading'; readonly version: string; readonly received: number; readonly total: number }
  | { readonly name: 'failed'; readonly version: string; readonly failure: UpdateFailure }
  /** The new version is installed when the user restarts Steward. */
  | { readonly name: 'ready'; readonly version: string };

export interface UpdatesView {
  /** The version of the running app. */
  readonly version: string;
  /** The host of the releases. Null if this copy was built from source and has none. */
  readonly host: string | null;
  /** Whether the releases have web pages. */
  readonly hasPages: boolean;
  readonly isOn: boolean;
  readonly isChecking: boolean;
  /** `at` is in ISO 8601. `failure` is null if there was an answer. */
  readonly lastCheck: { readonly at: string; readonly failure: UpdateFailure | null } | null;
  /** Null if none is known, or if the check is off. */
  readonly newer: NewerVersion | null;
  /** Null if this copy can replace itself. */
  readonly obstacle: InstallObstacle | null;
  readonly download: UpdateDownloadState;
}

export const updates = {
  get: request(z.object({})).returns<UpdatesView>(),
  /** Switching it on asks in the consent surface. */
  setOn: request(z.object({ isOn: z.boolean() })).returns<UpdatesView>(),
  /** Looks for a new version, if the check is on. */
  check: request(z.object({})).returns<UpdatesView>(),
  /** Hides the notice about the newest version. */
  dismiss: request(z.object({})).returns<UpdatesView>(),
  /** Looks again, asks in the consent surface about exactly what it found, and begins to download it. */
  download: request(z.object({})).returns<UpdatesView>(),
  cancel: request(z.object({})).returns<UpdatesView>(),
  /** Closes the window as its close button does, and installs what was downloaded. */
  restart: request(z.object({})).returns<null>(),
  /** Opens a page of the releases in the browser. */
  openPage: request(z.object({ page: z.enum(['notes', 'downloads']) })).returns<null>(),
};
