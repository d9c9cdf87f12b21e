import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, copyFileSync, createReadStream, linkSync, rmSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InstallObstacle } from '../../src-preload/contract/updates.ts';
import { errorMessage, systemCode } from '../base/errors.ts';
import { renameOverSync } from '../base/rename-over.ts';
import type { FetchedUpdate, UpdateInstaller } from '../services.ts';
import type { ConfirmedUpdater, UpdatedApp } from './confirmed-updater.ts';

export interface UpdatedProgram extends UpdatedApp {
  /** Absolute: the file that is replaced, if it is one. */
  readonly appImage: string | undefined;
  /** The new version may open this profile. */
  readonly releaseLock: () => void;
}

/** Installs with electron-updater. Needs no `electron`, so that tests run it under plain Node. */
export class ElectronUpdateInstaller implements UpdateInstaller {
  readonly #program: UpdatedProgram;
  #fetched: { readonly updater: ConfirmedUpdater; readonly file: string; readonly sha512: string } | undefined;

  constructor(program: UpdatedProgram) {
    this.#program = program;
  }

  obstacle(): InstallObstacle | null {
    const { appImage } = this.#program;
    return appImage === undefined || canReplace(appImage) ? null : 'not_writable';
  }

  async fetch(update: FetchedUpdate): Promise<void> {
    // electron-updater believes what it finds there: a file with the right content under any name, which it would then
    // start.
    await this.discard();
    const { confirmedUpdater } = await import('./confirmed-updater.ts');
    const confirmed = confirmedUpdater(this.#program, update);
    const { updater } = confirmed;
    // It also throws what it reports here.
    updater.on('error', () => undefined);
    if ((await updater.checkForUpdates())?.isUpdateAvailable !== true)
      throw new Error(`Version ${update.version} is not newer than ${this.#program.version}`);
    const [file] = await updater.downloadUpdate();
    if (file !== join(this.#pending, update.file.name) || !(await lstat(file)).isFile())
      throw new Error(`The downloaded file is not where it belongs, but at ${file}`);
    this.#fetched = { updater: confirmed, file, sha512: update.file.sha512 };
  }

  async install(): Promise<void> {
    const { appImage, releaseLock } = this.#program;
    if (this.#fetched === undefined) throw new Error('there is no downloaded file');
    const { updater, file, sha512 } = this.#fetched;
    // electron-updater does not check again, and any program of this user could have changed the file since.
    if ((await sha512Of(file)) !== sha512) {
      await this.discard();
      throw new Error('the downloaded file was changed');
    }
    if (appImage === undefined) replaceApp(updater);
    else {
      releaseLock();
      keepingOld(appImage, () => replaceApp(updater));
    }
    await updater.started();
  }

  async discard(): Promise<void> {
    this.#fetched = undefined;
    await rm(this.#pending, { recursive: true, force: true });
  }

  /**
   * Where electron-updater keeps a download: `updaterCacheDirName` of `app-update.yml`, which electron-builder writes.
   */
  get #pending(): string {
    return join(this.#program.cacheFolder, 'steward-updater', 'pending');
  }
}

function canReplace(file: string): boolean {
  try {
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    // The reason does not matter: it can't be replaced.
    return false;
  }
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}

/** electron-updater reports why it failed, and only returns false. */
function replaceApp({ updater }: ConfirmedUpdater): void {
  let reason: unknown;
  updater.on('error', (error) => {
    reason = error;
  });
  if (!updater.install(false, true)) throw new Error(errorMessage(reason ?? 'no reason is known'));
}

/**
 * electron-updater deletes the old file before it moves the new one there: on a full disk neither would be left, or a
 * part of the new one.
 */
function keepingOld(file: string, replace: () => void): void {
  const kept = `${file}.${randomUUID()}.previous`;
  linkOrCopy(file, kept);
  try {
    replace();
  } catch (error) {
    renameOverSync(kept, file);
    throw error;
  } finally {
    // Renaming a file to another link of itself leaves both.
    rmSync(kept, { force: true });
  }
}

/** Never replaces a file. */
function linkOrCopy(file: string, into: string): void {
  try {
    linkSync(file, into);
  } catch (linkError) {
    // A file system without links.
    if (!/^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK|EXDEV|EACCES)$/.test(systemCode(linkError))) throw linkError;
    try {
      copyFileSync(file, into, constants.COPYFILE_EXCL);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') rmSync(into, { force: true });
      throw error;
    }
  }
}
