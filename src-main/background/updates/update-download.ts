import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpdateDownloadState, UpdateFailure } from '../../../src-preload/contract/updates.ts';
import { errorMessage } from '../../base/errors.ts';
import type { ReleaseFile } from './release.ts';
import { UpdateProblem } from './update-problem.ts';
import type { DownloadedUpdate, UpdateInstaller } from './update-program.ts';

/** What the user is asked about. Exactly this is then downloaded. */
export interface UpdateOffer {
  readonly version: string;
  readonly file: ReleaseFile;
  /** All hosts that the file may come from. */
  readonly hosts: readonly string[];
}

export interface UpdateDownloadPorts {
  readonly installer: UpdateInstaller;
  /** The absolute path of a folder that holds the download and nothing else. The folder that it is in exists. */
  readonly folder: string;
  readonly receive: (
    offer: UpdateOffer,
    into: string,
    options: { readonly signal: AbortSignal; readonly onProgress: (received: number) => void },
  ) => Promise<void>;
  readonly onChange: () => void;
}

/** The most characters of a failure's details: a failed command may say very much. */
const MAX_DETAIL = 500;

export interface NotInstalled {
  readonly version: string;
  readonly failure: UpdateFailure;
}

/** The download that the user confirmed, and its installation. */
export class UpdateDownload {
  readonly #ports: UpdateDownloadPorts;
  #state: UpdateDownloadState = { name: 'none' };
  #running: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;
  #downloaded: DownloadedUpdate | undefined;
  #isInstalling = false;

  constructor(ports: UpdateDownloadPorts) {
    this.#ports = ports;
  }

  get state(): UpdateDownloadState {
    return this.#state;
  }

  /** Whether a download is running or ready. */
  get isUnderWay(): boolean {
    return this.#running !== undefined || this.#state.name === 'ready';
  }

  /** Throws while another download is running, and once one is ready. */
  start(offer: UpdateOffer): void {
    if (this.isUnderWay) throw new Error('Another download is running or ready');
    const ending = new AbortController();
    const done = this.#download(offer, ending.signal).finally(() => {
      this.#running = undefined;
    });
    this.#running = { ending, done };
  }

  /** Ends a running download. One that is ready stays. */
  async stop(): Promise<void> {
    this.#running?.ending.abort(new Error('The download was cancelled.'));
    await this.#running?.done;
  }

  /** Ends a running download, and deletes all of it and of what an earlier run downloaded. */
  async cancel(): Promise<void> {
    await this.stop();
    this.#isInstalling = false;
    await this.#discard();
    if (this.#state.name !== 'none') this.#set({ name: 'none' });
  }

  /** Has `install` install the download that is ready. Returns false if none is. */
  installAtEnd(): boolean {
    this.#isInstalling = this.#state.name === 'ready';
    return this.#isInstalling;
  }

  /** Takes `installAtEnd` back, because the user did not quit after all. */
  stay(): void {
    this.#isInstalling = false;
  }

  /**
   * The very last step of the app's end. Resolves with the reason why something that was to be installed was not, or
   * with `undefined` if nothing was to be, or it is installed.
   */
  async install(obstacle?: string): Promise<NotInstalled | undefined> {
    if (!this.#isInstalling || this.#state.name !== 'ready' || this.#downloaded === undefined) return undefined;
    try {
      if (obstacle !== undefined) throw new Error(obstacle);
      await this.#ports.installer.install(this.#downloaded);
      return undefined;
    } catch (error) {
      // What can't be deleted now is deleted at the next start.
      await this.#discard().catch(() => undefined);
      return {
        version: this.#state.version,
        failure: { code: 'not_installed', detail: errorMessage(error).slice(0, MAX_DETAIL) },
      };
    }
  }

  async #download(offer: UpdateOffer, signal: AbortSignal): Promise<void> {
    const { version, file } = offer;
    const total = file.bytes;
    let shown = -1;
    const onProgress = (received: number) => {
      const percent = Math.floor((received / total) * 100);
      if (percent === shown) return;
      shown = percent;
      this.#set({ name: 'downloading', version, received, total });
    };
    onProgress(0);
    try {
      await this.#discard();
      const { folder, receive } = this.#ports;
      // The folder is not created recursively, so that a deleted profile is not recreated.
      await mkdir(folder, { mode: 0o700 });
      const path = join(folder, file.name);
      await receive(offer, path, { signal, onProgress });
      signal.throwIfAborted();
      this.#downloaded = { path, sha512: file.sha512 };
      this.#set({ name: 'ready', version });
    } catch (error) {
      // What can't be deleted now is deleted before the next download.
      await this.#discard().catch(() => undefined);
      const { failure } = error instanceof UpdateProblem ? error : new UpdateProblem('not_stored', errorMessage(error));
      this.#set(signal.aborted ? { name: 'none' } : { name: 'failed', version, failure });
    }
  }

  async #discard(): Promise<void> {
    this.#downloaded = undefined;
    await rm(this.#ports.folder, { recursive: true, force: true });
  }

  #set(state: UpdateDownloadState): void {
    this.#state = state;
    this.#ports.onChange();
  }
}
