import { spawn } from 'node:child_process';
import { AppImageUpdater, type BaseUpdater, NsisUpdater } from 'electron-updater';
import type { FetchedUpdate, InstalledExtension } from '../services.ts';

type AppAdapter = NonNullable<ConstructorParameters<typeof NsisUpdater>[1]>;

export interface UpdatedApp {
  readonly extension: InstalledExtension;
  readonly version: string;
  /** `app-update.yml`. */
  readonly feedFile: string;
  /** Absolute: holds the download. */
  readonly cacheFolder: string;
  /** Arguments for the new version. */
  readonly startArguments: readonly string[];
  relaunch(): void;
}

export interface ConfirmedUpdater {
  readonly updater: BaseUpdater;
  /** Resolves when the program that `install` starts has started. Rejects if it can't be. */
  readonly started: () => Promise<void>;
}

/** Never sent: this file makes no request. If a later electron-updater made one, it would name nobody. */
const NO_STAGING_ID = '00000000-0000-5000-8000-000000000000';

/**
 * electron-updater with everything taken away that decides or connects. The release is the one that the user confirmed,
 * and its file is received by our HTTP client (Chromium reaches nothing here, see `resolveNoNames`). What remains: its
 * cache of downloads, and replacing the installed app. Loaded only when a download begins.
 */
export function confirmedUpdater(app: UpdatedApp, { version, file, receive }: FetchedUpdate): ConfirmedUpdater {
  const updater = make(app);
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowPrerelease = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  // One request for exactly the confirmed file, instead of many for parts of it.
  updater.disableDifferentialDownload = true;
  updater.logger = null;
  updater.requestHeaders = { 'x-user-staging-id': NO_STAGING_ID };
  const info = { version, files: [{ url: file.name, sha512: file.sha512, size: file.bytes }], path: file.name };
  const provider = {
    fileExtraDownloadHeaders: null,
    // Only its last part is used: the name in the cache.
    resolveFiles: () => [{ url: new URL(`https://confirmed.invalid/${file.name}`), info: info.files[0] }],
  };
  const programs = new StartedPrograms(app);
  replaceMembers(updater, {
    // Its own would write an id for staged rollouts into the profile (`.updaterId`) and send it, and read the release
    // once more.
    getUpdateInfoAndProvider: async () => ({ info, provider }),
    httpExecutor: { download: async (_url: URL, into: string) => receive(into) },
    spawnLog: programs.start,
  });
  return { updater, started: () => programs.settled() };
}

/**
 * They are private to electron-updater: if a later version named them differently, its own would be used without a
 * word.
 */
export function replaceMembers(updater: object, members: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(members))
    if (!(name in updater)) throw new Error(`This electron-updater has no ${name}: nothing can be installed with it`);
  Object.assign(updater, members);
}

function make({ extension, version, feedFile, cacheFolder, relaunch }: UpdatedApp): BaseUpdater {
  const adapter: AppAdapter = {
    version,
    name: 'Steward',
    isPackaged: true,
    appUpdateConfigPath: feedFile,
    userDataPath: cacheFolder,
    baseCachePath: cacheFolder,
    whenReady: async () => undefined,
    relaunch,
    // Steward's own end has already begun when an update is installed.
    quit: () => undefined,
    onQuit: () => undefined,
  };
  return extension === '.exe' ? new NsisUpdater(null, adapter) : new AppImageUpdater(null, adapter);
}

/**
 * What electron-updater starts: an AppImage with this start's arguments, because its own would open another profile.
 */
class StartedPrograms {
  readonly #more: readonly string[];
  #last: Promise<true> | undefined;

  constructor({ extension, startArguments }: UpdatedApp) {
    this.#more = extension === '.AppImage' ? startArguments : [];
  }

  readonly start = (command: string, args: readonly string[] = [], env?: NodeJS.ProcessEnv): Promise<true> => {
    const started = new Promise<true>((resolve, reject) => {
      const child = spawn(command, [...args, ...this.#more], { env, detached: true, stdio: 'ignore' });
      child.once('error', reject);
      child.once('spawn', () => resolve(true));
      child.unref();
    });
    this.#last = started;
    return started;
  };

  async settled(): Promise<void> {
    let seen: Promise<true> | undefined;
    // The Windows installer is started once more, with an administrator's rights, where that is needed.
    while (seen !== this.#last) {
      seen = this.#last;
      await Promise.allSettled([seen]);
    }
    await seen;
  }
}
