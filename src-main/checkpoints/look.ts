import { type BigIntStats, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { NotKept, NotKeptReason } from '../../src-preload/contract/file-changes.ts';
import { systemCode } from '../base/errors.ts';
import { PinnedDirectory } from '../base/pinned-directory.ts';
import type { WritableDatabase } from '../storage/database/connection.ts';
import { SECOND_NS, wasChangedBefore } from './change-time.ts';
import type { ContentStore } from './content-store.ts';
import { ABSENT, type EntryState, permissionsOf } from './entry-state.ts';
import { madeAgainFrom } from './made-again.ts';

/** A larger file is not kept: 200 MB. */
const MAX_KEPT_BYTES = 200 * 1024 * 1024;
/** So much is committed at once: an interrupted first look goes on where it was. */
const ENTRIES_PER_COMMIT = 5_000;
const BYTES_PER_COMMIT = 64 * 1024 * 1024;
const MAX_NOT_KEPT = 100;
/** Stands for the folder that the root is in. No folder has this name. */
const OF_ROOT = '/';

export interface LookPlace {
  readonly index: WritableDatabase;
  readonly store: WritableDatabase;
  readonly contents: ContentStore;
  /** Real paths that no look enters: the profile. */
  readonly leftOut: ReadonlySet<string>;
  /** Deletes what is oldest in the store. Returns whether it found anything to delete. */
  makeRoom(): boolean;
}

export interface LookResult {
  /** What is not kept, no more than a hundred of it. */
  readonly notKept: readonly NotKept[];
  /** Entries below the root. */
  readonly entries: number;
}

interface EntryRow {
  readonly name: string;
  readonly inode: string;
  /** Milliseconds since 1970, as `ctimeMs`; 0 if it must be looked at again. */
  readonly changed: number;
  readonly state: string;
}

/**
 * Looks at everything in a root (a real path): brings the index up to date, keeps the contents that are new, and notes
 * each difference from the last look as an observed change. The first look at a root observes nothing.
 */
export function look(place: LookPlace, root: string): LookResult {
  const look = new Look(place, root);
  const looked = look.run();
  return look.lacksRoom && place.makeRoom() ? new Look(place, root).run() : looked;
}

class Look {
  /** Something was not kept because the store or the disk is full. */
  lacksRoom = false;
  readonly #place: LookPlace;
  readonly #root: string;
  readonly #num: number;
  readonly #wasWhole: boolean;
  readonly #startedNs = BigInt(Date.now()) * 1_000_000n;
  readonly #notKept: NotKept[] = [];
  /** The number of the look, once it has observed something. */
  #look: number | undefined;
  #entries = 0;
  #pending = 0;
  #pendingBytes = 0;
  #isWriting = false;

  constructor(place: LookPlace, root: string) {
    this.#place = place;
    this.#root = root;
    const { index } = place;
    index
      .statement(
        'INSERT INTO roots (path, looked_at) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET looked_at = excluded.looked_at',
      )
      .run(root, new Date().toISOString());
    const row = index
      .statement<{ num: number; is_whole: number }>('SELECT num, is_whole FROM roots WHERE path = ?')
      .get(root);
    this.#num = row?.num ?? 0;
    this.#wasWhole = row?.is_whole === 1;
  }

  run(): LookResult {
    try {
      this.#lookAtRoot();
      const folders = [''];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        folders.push(...this.#lookIn(folder));
        if (this.#pending >= ENTRIES_PER_COMMIT || this.#pendingBytes >= BYTES_PER_COMMIT) this.#commit();
      }
      if (!this.#wasWhole) {
        this.#write();
        this.#place.index.statement('UPDATE roots SET is_whole = 1 WHERE num = ?').run(this.#num);
      }
      this.#commit();
      return { notKept: this.#notKept, entries: this.#entries };
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Its own permissions and time: a command can change them, too. */
  #lookAtRoot(): void {
    const stats = lstatSync(this.#root, { bigint: true });
    const [row] = this.#rows(OF_ROOT);
    this.#lookAtFolder(OF_ROOT, '', stats, row, undefined);
  }

  /** Returns the folders in it, relative to the root. */
  #lookIn(folder: string): string[] {
    const real = join(this.#root, folder);
    let pinned: PinnedDirectory;
    try {
      pinned = PinnedDirectory.openSync(real);
    } catch (error) {
      // It was deleted or replaced since its parent was looked at; the next look sees that.
      this.#leaveOut(real, systemCode(error) === 'EACCES' ? { code: 'unreadable' } : undefined);
      return [];
    }
    try {
      return this.#lookThrough(folder, real, pinned);
    } finally {
      pinned.close();
    }
  }

  #lookThrough(folder: string, real: string, pinned: PinnedDirectory): string[] {
    let names: readonly string[];
    try {
      names = readdirSync(pinned.entry('.'));
    } catch {
      this.#leaveOut(real, { code: 'unreadable' });
      return [];
    }
    const known = new Map(this.#rows(folder).map((row) => [row.name, row]));
    const siblings = new Set(names);
    const folders: string[] = [];
    for (const name of names) {
      const path = join(real, name);
      if (this.#place.leftOut.has(path)) continue;
      const entry = pinned.entry(name);
      const seen = lstatSync(entry, QUIET);
      if (seen === undefined) {
        // Node can't name what is not valid UTF-8.
        if (name.includes('\ufffd')) this.#leaveOut(path, { code: 'name' });
        continue;
      }
      this.#entries += 1;
      const row = known.get(name);
      known.delete(name);
      const below = folder === '' ? name : `${folder}/${name}`;
      if (row !== undefined && isUnchanged(row, seen) && !this.#canBeKeptNow(row, seen)) {
        this.#stillThere(row, seen, below, folders);
        continue;
      }
      const stats = lstatSync(entry, EXACT);
      if (stats === undefined) continue;
      if (stats.isDirectory()) {
        const before = row === undefined ? undefined : stateIn(row);
        const from = before?.kind === 'folder' ? before.madeAgain : madeAgainFrom(name, entry, siblings);
        if (from === undefined) folders.push(below);
        else this.#leaveOut(path, { code: 'made_again', from });
        this.#lookAtFolder(folder, name, stats, row, from);
      } else {
        this.#lookAt(folder, name, stats, row, entry);
      }
    }
    for (const row of known.values()) this.#gone(folder, row);
    return folders;
  }

  #stillThere(row: EntryRow, seen: Stats, below: string, folders: string[]): void {
    const isFolder = seen.isDirectory();
    if (isFolder && !row.state.includes('"madeAgain"')) folders.push(below);
    else if (isFolder || !seen.isFile() || row.state.includes('"digest":null')) this.#stillLeftOut(row, below);
  }

  /** There was no room for it, or it couldn't be read. */
  #canBeKeptNow({ state }: EntryRow, seen: Stats): boolean {
    if (!seen.isFile() || seen.size > MAX_KEPT_BYTES || !state.includes('"digest":null')) return false;
    return this.#place.contents.hasRoomFor(seen.size);
  }

  #stillLeftOut(row: EntryRow, below: string): void {
    const state = stateIn(row);
    const path = join(this.#root, below);
    if (state.kind === 'other') this.#leaveOut(path, { code: 'special' });
    else if (state.kind === 'file') this.#leaveOut(path, whyNotKept(state.size));
    else if (state.kind === 'folder' && state.madeAgain !== undefined)
      this.#leaveOut(path, { code: 'made_again', from: state.madeAgain });
  }

  #lookAtFolder(
    folder: string,
    name: string,
    stats: BigIntStats,
    row: EntryRow | undefined,
    madeAgain: string | undefined,
  ): void {
    const state: EntryState = {
      kind: 'folder',
      mode: permissionsOf(stats),
      modified: String(stats.mtimeNs),
      ...(madeAgain === undefined ? {} : { madeAgain }),
    };
    this.#put(folder, name, stats, JSON.stringify(state), row);
  }

  #lookAt(folder: string, name: string, stats: BigIntStats, row: EntryRow | undefined, entry: string): void {
    const state = this.#stateOf(join(this.#root, folder, name), entry, stats);
    if (row !== undefined && stateIn(row).kind === 'folder')
      this.#goneBelow(folder === '' ? name : `${folder}/${name}`);
    this.#put(folder, name, stats, JSON.stringify(state), row);
  }

  #stateOf(real: string, path: string, stats: BigIntStats): EntryState {
    const mode = permissionsOf(stats);
    if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
    if (!stats.isFile()) {
      this.#leaveOut(real, { code: 'special' });
      return { kind: 'other', mode };
    }
    const size = Number(stats.size);
    const modified = String(stats.mtimeNs);
    const unknown = { kind: 'file', size, mode, modified, digest: null } as const;
    if (size > MAX_KEPT_BYTES) {
      this.#leaveOut(real, { code: 'too_large', bytes: size });
      return unknown;
    }
    const { contents } = this.#place;
    try {
      if (!contents.hasRoomFor(size)) {
        const digest = contents.find(path) ?? null;
        if (digest === null) this.#leaveOut(real, { code: 'no_space' });
        return { ...unknown, digest };
      }
      this.#write();
      const kept = contents.keep(path);
      if (kept === undefined) return unknown;
      this.#pendingBytes += kept.size;
      return { ...unknown, size: kept.size, digest: kept.digest };
    } catch (error) {
      this.#leaveOut(real, { code: NO_SPACE.has(systemCode(error)) ? 'no_space' : 'unreadable' });
      return unknown;
    }
  }

  #put(folder: string, name: string, stats: BigIntStats, state: string, row: EntryRow | undefined): void {
    this.#write();
    const isSettled = wasChangedBefore(stats, this.#startedNs);
    this.#place.index
      .statement('INSERT OR REPLACE INTO entries (root, folder, name, inode, changed, state) VALUES (?, ?, ?, ?, ?, ?)')
      .run(this.#num, folder, name, inodeOf(stats), isSettled ? changedMs(stats) : 0, state);
    this.#pending += 1;
    if (row?.state !== state && (row !== undefined || this.#wasWhole))
      this.#observe(
        folder === OF_ROOT ? this.#root : join(this.#root, folder, name),
        row?.state ?? JSON.stringify(ABSENT),
        state,
      );
  }

  #gone(folder: string, row: EntryRow): void {
    this.#write();
    const below = folder === '' ? row.name : `${folder}/${row.name}`;
    if (stateIn(row).kind === 'folder') this.#goneBelow(below);
    this.#place.index
      .statement('DELETE FROM entries WHERE root = ? AND folder = ? AND name = ?')
      .run(this.#num, folder, row.name);
    this.#pending += 1;
    this.#observe(join(this.#root, below), row.state, JSON.stringify(ABSENT));
  }

  #goneBelow(folder: string): void {
    for (const row of this.#rows(folder)) this.#gone(folder, row);
  }

  #observe(path: string, before: string, after: string): void {
    const { store } = this.#place;
    this.#look ??= Number(
      store.statement('INSERT INTO looks (root, at) VALUES (?, ?)').run(this.#root, new Date().toISOString())
        .lastInsertRowid,
    );
    store
      .statement('INSERT OR REPLACE INTO observed (look, root, path, before, after) VALUES (?, ?, ?, ?, ?)')
      .run(this.#look, this.#root, path, before, after);
  }

  #rows(folder: string): EntryRow[] {
    return this.#place.index
      .statement<EntryRow>('SELECT name, inode, changed, state FROM entries WHERE root = ? AND folder = ?')
      .all(this.#num, folder);
  }

  #leaveOut(path: string, why: NotKeptReason | undefined): void {
    if (why?.code === 'no_space') this.lacksRoom = true;
    if (why !== undefined && this.#notKept.length < MAX_NOT_KEPT) this.#notKept.push({ path, why });
  }

  #write(): void {
    if (this.#isWriting) return;
    this.#place.store.database.exec('BEGIN IMMEDIATE');
    this.#place.index.database.exec('BEGIN IMMEDIATE');
    this.#isWriting = true;
  }

  /** The store first: what the index knows, the store must have. */
  #commit(): void {
    if (!this.#isWriting) return;
    this.#place.store.database.exec('COMMIT');
    this.#place.index.database.exec('COMMIT');
    this.#isWriting = false;
    this.#pending = 0;
    this.#pendingBytes = 0;
  }

  #rollBack(): void {
    if (!this.#isWriting) return;
    for (const database of [this.#place.store.database, this.#place.index.database])
      if (database.isTransaction) database.exec('ROLLBACK');
    this.#isWriting = false;
  }
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT']);

const QUIET = { throwIfNoEntry: false } as const;
const EXACT = { bigint: true, throwIfNoEntry: false } as const;

function isUnchanged(row: EntryRow, stats: Stats): boolean {
  return row.changed === stats.ctimeMs && row.inode === inodeOf(stats);
}

function inodeOf(stats: Stats | BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

/** As Node computes `ctimeMs`. */
function changedMs({ ctimeNs }: BigIntStats): number {
  return Number(ctimeNs / SECOND_NS) * 1_000 + Number(ctimeNs % SECOND_NS) / 1_000_000;
}

function stateIn(row: EntryRow): EntryState {
  return JSON.parse(row.state) as EntryState;
}

function whyNotKept(bytes: number): NotKeptReason {
  return bytes > MAX_KEPT_BYTES ? { code: 'too_large', bytes } : { code: 'no_space' };
}
