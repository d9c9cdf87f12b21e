import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, createReadStream } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InstallObstacle } from '../../src-preload/contract/updates.ts';
import { systemCode } from '../base/errors.ts';
import { renameOver } from '../base/rename-over.ts';
import type { DownloadedUpdate, UpdateInstaller } from '../services.ts';

export interface InstalledProgram {
  /**
   * The absolute path of the file that is replaced. It is `undefined` if the downloaded file is the Windows installer.
   */
  readonly appImage: string | undefined;
  /** Arguments for the new AppImage, which would otherwise open another profile. */
  readonly startArguments: readonly string[];
  /** The absolute path of the folder that holds `app.asar`. */
  readonly resources: string;
  /** Lets the new version open this profile. */
  readonly releaseLock: () => void;
}

/**
 * Needs no `electron`, so that tests run it under plain Node. docs/decisions/043-updates.md says why it is not
 * electron-updater.
 */
export class ProgramInstaller implements UpdateInstaller {
  readonly #program: InstalledProgram;

  constructor(program: InstalledProgram) {
    this.#program = program;
  }

  obstacle(): InstallObstacle | null {
    const { appImage } = this.#program;
    return appImage === undefined || canReplace(appImage) ? null : 'not_writable';
  }

  async install(update: DownloadedUpdate): Promise<void> {
    const { appImage, startArguments, resources, releaseLock } = this.#program;
    if (appImage === undefined) {
      await needUnchanged(update.path, update.sha512);
      await startInstaller(update.path, resources);
      return;
    }
    await replaceFile(appImage, update);
    releaseLock();
    // This keeps programs that integrate AppImages into the desktop from asking.
    await start(appImage, startArguments, { ...process.env, APPIMAGE_SILENT_INSTALL: 'true' });
  }
}

function canReplace(file: string): boolean {
  try {
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    // Whatever the reason is, the file can't be replaced.
    return false;
  }
}

/** Replaces a file. The old one is there until the new one is, also on a full disk. */
async function replaceFile(file: string, { path, sha512 }: DownloadedUpdate): Promise<void> {
  const next = `${file}.${randomUUID()}.next`;
  try {
    await copyFile(path, next, constants.COPYFILE_EXCL);
    await needUnchanged(next, sha512);
    await chmod(next, 0o755);
    await renameOver(next, file);
  } finally {
    await rm(next, { force: true });
  }
}

/** Rejects if the file was changed since its download, which any program of this user could have done. */
async function needUnchanged(file: string, sha512: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== sha512) throw new Error('the downloaded file was changed');
}

/**
 * Starts the Windows installer. The source of the arguments is https://www.electron.build/nsis, and `NsisUpdater` of
 * electron-updater.
 */
async function startInstaller(file: string, resources: string): Promise<void> {
  const args = ['--updated', '--force-run'];
  await start(file, args).catch(async (error: unknown) => {
    // The error means that Steward was installed for all users, so Windows has to ask for an administrator's rights.
    if (!/^(?:EACCES|UNKNOWN)$/.test(systemCode(error))) throw error;
    await start(join(resources, 'elevate.exe'), [file, ...args]);
  });
}

async function start(command: string, args: readonly string[], env = process.env): Promise<void> {
  const child = spawn(command, args, { env, detached: true, stdio: 'ignore' });
  child.unref();
  await once(child, 'spawn');
}
