import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewerVersion, UpdatesView } from '../../../src-preload/contract/updates.ts';
import { errorMessage } from '../../base/errors.ts';
import { Listeners } from '../../base/listeners.ts';
import type { HttpClient } from '../../network/http.ts';
import { LastCheckFile } from './last-check.ts';
import { isNewer, type Release, type ReleaseFile } from './release.ts';
import { parseFeed, type ReleaseFeed } from './release-feed.ts';
import { latestRelease, receiveFile } from './release-requests.ts';
import { ReleaseWatch, type WatchClock } from './release-watch.ts';
import { UpdateDownload, type UpdateOffer } from './update-download.ts';
import { UpdateProblem } from './update-problem.ts';
import type { UpdateProgram } from './update-program.ts';

export interface UpdatesPorts {
  readonly program: UpdateProgram;
  readonly http: HttpClient;
  readonly profileDirectory: string;
  /** Whether the user wants the check, and confirmed it. */
  readonly isOn: () => boolean;
  readonly clock: WatchClock;
  readonly notify: (notice: { readonly code: string; readonly message: string }) => void;
}

/** Finds new versions of this app, and gets them. */
export class Updates {
  readonly #ports: UpdatesPorts;
  readonly #feed: ReleaseFeed | undefined;
  /** `undefined` if this copy can't replace itself. */
  readonly #download: UpdateDownload | undefined;
  readonly #listeners = new Listeners();
  #watch: ReleaseWatch | undefined;

  private constructor(ports: UpdatesPorts, feed: ReleaseFeed | undefined) {
    this.#ports = ports;
    this.#feed = feed;
    const { way } = ports.program;
    if (feed !== undefined && 'installer' in way)
      this.#download = new UpdateDownload({
        installer: way.installer,
        folder: join(ports.profileDirectory, 'cache', 'updates', 'download'),
        receive: ({ version, file }, into, options) => receiveFile(ports.http, feed, { version, file, into }, options),
        onChange: () => this.#listeners.tell(),
      });
  }

  static async open(ports: UpdatesPorts): Promise<Updates> {
    const feed = await openFeed(ports);
    const updates = new Updates(ports, feed);
    if (feed !== undefined)
      updates.#watch = await ReleaseWatch.open({
        clock: ports.clock,
        isOn: ports.isOn,
        file: new LastCheckFile(ports.profileDirectory),
        ask: (signal) => latestRelease(ports.http, feed, ports.program.place, signal),
        onChange: () => updates.#listeners.tell(),
        onUnreadable: (error) => ports.notify({ code: 'last_update_check', message: errorMessage(error) }),
      });
    // What an earlier run downloaded is either installed by now, or has to be confirmed and downloaded again.
    if (updates.#download !== undefined) await updates.#cancelled(updates.#download);
    return updates;
  }

  get view(): UpdatesView {
    const { program, isOn } = this.#ports;
    const known = this.#watch?.known ?? null;
    const newer = this.#newer();
    return {
      version: program.version,
      host: this.#feed?.host ?? null,
      hasPages: this.#feed?.pages != null,
      isOn: isOn(),
      isChecking: this.#watch?.isChecking ?? false,
      lastCheck: known && { at: new Date(known.at).toISOString(), failure: known.failure },
      newer: newer && this.#shown(newer),
      obstacle: this.#obstacle(newer),
      download: this.#downloadState(newer),
    };
  }

  /** Whether a download is running or ready. */
  get isUnderWay(): boolean {
    return this.#download?.isUnderWay ?? false;
  }

  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Call it when the setting changed. If it was switched off, nothing of a download stays, because the page no longer
   * shows it.
   */
  settingChanged(): void {
    this.#watch?.checkIfDue();
    if (!this.#ports.isOn()) void this.cancel();
    this.#listeners.tell();
  }

  async check(): Promise<void> {
    await this.#watch?.check();
  }

  /** Hides the notice about the newest version. */
  async dismiss(): Promise<void> {
    const newer = this.#newer();
    if (newer !== null) await this.#watch?.dismiss(newer.version);
  }

  /**
   * Asks the releases again, and resolves with what can be downloaded now, to be confirmed by the user. Resolves with
   * `null` if there is nothing; the view says why. Rejects with `UpdateProblem`.
   */
  async offer(): Promise<UpdateOffer | null> {
    await this.check();
    const failure = this.#watch?.known?.failure ?? null;
    if (failure !== null) throw new UpdateProblem(failure.code, failure.detail);
    const newer = this.#newer();
    const file = newer && this.#fileOf(newer);
    const hosts = this.#feed?.fileHosts;
    if (newer === null || file === null || hosts === undefined || this.#obstacle(newer) !== null) return null;
    return { version: newer.version, file, hosts };
  }

  /** Call it only with an offer that the user confirmed. Rejects if the download can't begin. */
  async download(confirmed: UpdateOffer): Promise<void> {
    this.#download?.start(confirmed);
    await this.#watch?.installFailed(null);
  }

  async cancel(): Promise<void> {
    if (this.#download !== undefined) await this.#cancelled(this.#download);
  }

  /** See `UpdateDownload`. */
  installAtEnd(): boolean {
    return this.#download?.installAtEnd() ?? false;
  }

  stay(): void {
    this.#download?.stay();
  }

  /**
   * `obstacle` says why nothing may be installed now. Resolves with false if what was to be installed was not, which
   * the next start says.
   */
  async install(obstacle?: string): Promise<boolean> {
    const notInstalled = await this.#download?.install(obstacle);
    if (notInstalled === undefined) return true;
    process.stderr.write(`The update was not installed: ${notInstalled.failure.detail}\n`);
    await this.#watch?.installFailed(notInstalled);
    return false;
  }

  /** Returns the address of a page of the releases, or `undefined` if there is none. */
  page(page: 'notes' | 'downloads'): string | undefined {
    const newer = this.#newer();
    if (page === 'downloads') return this.#feed?.pages?.downloads;
    return newer === null ? undefined : this.#feed?.pages?.notes(newer.version);
  }

  async close(): Promise<void> {
    // A download that is ready is installed after this.
    await Promise.all([this.#watch?.close(), this.#download?.stop()]);
  }

  #newer(): Release | null {
    const known = this.#watch?.known?.release ?? null;
    const { program, isOn } = this.#ports;
    return known !== null && isOn() && isNewer(known.version, program.version) ? known : null;
  }

  /** A failed installation of an earlier run counts until another attempt begins. */
  #downloadState(newer: Release | null): UpdatesView['download'] {
    const state = this.#download?.state ?? { name: 'none' };
    const failed = this.#watch?.known?.notInstalled ?? null;
    const isAboutNewer = failed !== null && failed.version === newer?.version;
    return state.name === 'none' && isAboutNewer ? { name: 'failed', ...failed } : state;
  }

  async #cancelled(download: UpdateDownload): Promise<void> {
    await download.cancel().catch((error: unknown) => {
      const message = `A downloaded version of Steward could not be deleted: ${errorMessage(error)}`;
      this.#ports.notify({ code: 'update_not_deleted', message });
    });
  }

  #shown(newer: Release): NewerVersion {
    const { version, releasedAt } = newer;
    const isDismissed = this.#watch?.known?.dismissed === version;
    return { version, releasedAt, isDismissed, bytes: this.#fileOf(newer)?.bytes ?? null };
  }

  #obstacle(newer: Release | null): UpdatesView['obstacle'] {
    const { way, isForEvaluation } = this.#ports.program;
    if (isForEvaluation && this.#feed?.isLoopback !== true) return 'evaluation';
    if ('obstacle' in way) return way.obstacle;
    return newer !== null && this.#fileOf(newer) === null ? 'no_file' : way.installer.obstacle();
  }

  #fileOf({ files }: Release): ReleaseFile | null {
    const { way } = this.#ports.program;
    return ('extension' in way ? files.find(({ name }) => name.endsWith(way.extension)) : undefined) ?? null;
  }
}

async function openFeed({ program, notify }: UpdatesPorts): Promise<ReleaseFeed | undefined> {
  try {
    return parseFeed(await readFile(program.feedFile, 'utf8'));
  } catch (error) {
    const message = `Steward can’t look for new versions, because ${program.feedFile} can’t be used: ${errorMessage(error)}`;
    notify({ code: 'update_feed', message });
    return undefined;
  }
}
