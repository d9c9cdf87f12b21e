import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupReason } from '../../../src-preload/contract/settings.ts';
import { renameOverSync } from '../../base/rename-over.ts';
import { BASE_SCHEMA } from '../database/migrations/base-schema.ts';
import type { RowCounts } from '../database/row-counts.ts';
import { schemaVersionOf } from '../database/schema-version.ts';
import { StorageError } from '../database/storage-error.ts';
import { verifyBackup } from './backup-database.ts';

/** A backup of the database in the profile's `backups` folder. */
export interface Backup {
  /** The file name, as `backups.restore` expects it. */
  readonly name: string;
  /** Larger is newer. A counter, not a time: a clock change can't make an old backup look new. */
  readonly number: number;
  readonly reason: BackupReason;
  /** The date (`YYYY-MM-DD` in UTC) that the clock showed at that time. */
  readonly date: string;
  readonly bytes: number;
}

/** `before-v2` means before the migration to version 2. */
const NAME = /^steward-(\d{6,})-(daily|before-v(\d+)|before-damage)-([+-]?\d{4,6}-\d{2}-\d{2})\.db$/;
const KEPT_DAILY = 5;
/** The backups from before this many upgrades are kept. */
const KEPT_BEFORE_MIGRATIONS = 5;

/** Newest first. */
export function listBackups(folder: string): Backup[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [, number, kind, version, date] = NAME.exec(name) ?? [];
      const bytes = statSync(join(folder, name), { throwIfNoEntry: false })?.size;
      if (number === undefined || kind === undefined || date === undefined || bytes === undefined) return [];
      return [{ name, number: Number(number), reason: reasonOf(kind, version), date, bytes }];
    })
    .sort((a, b) => b.number - a.number);
}

export function nextBackupName(folder: string, reason: BackupReason, now: Date): string {
  const number = (listBackups(folder)[0]?.number ?? 0) + 1;
  return backupName(number, reason, dateOf(now));
}

export function dateOf(time: Date): string {
  return time.toISOString().slice(0, time.toISOString().indexOf('T'));
}

/**
 * Keeps the newest daily backups and those from before the last migrations, and deletes the rest. A migration that
 * fails is tried again at the next start, with a new backup of the same state: only the newest is kept.
 */
export function pruneBackups(folder: string): void {
  const daily: Backup[] = [];
  const beforeVersions = new Map<number, Backup>();
  const unneeded: Backup[] = [];
  for (const backup of listBackups(folder)) {
    const { reason } = backup;
    if (reason.code === 'daily') daily.push(backup);
    // What a repair kept as the last good state is only for the user to delete.
    if (reason.code !== 'before_migration') continue;
    if (beforeVersions.has(reason.version)) unneeded.push(backup);
    else beforeVersions.set(reason.version, backup);
  }
  unneeded.push(...daily.slice(KEPT_DAILY), ...[...beforeVersions.values()].slice(KEPT_BEFORE_MIGRATIONS));
  for (const { name } of unneeded) rmSync(join(folder, name), { force: true });
}

/** Removes unfinished backups of processes that died. It requires the lock on backups. */
export function removeUnfinishedBackups(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('steward-') && /\.unfinished(-journal|-wal|-shm)?$/.test(name))
      rmSync(join(folder, name), { force: true });
  }
}

export interface GoodBackup extends Backup {
  readonly counts: RowCounts;
}

/**
 * The newest backup that opens, verifies and has a schema that can be read. It is renamed so that later daily backups
 * never push it out. `known` is the newest schema version that this program knows.
 */
export function keepNewestGoodBackup(folder: string, known: number): GoodBackup | undefined {
  for (const backup of listBackups(folder)) {
    try {
      const version = schemaVersionOf(join(folder, backup.name));
      if (version !== undefined && (version < BASE_SCHEMA || version > known)) continue;
      const counts = verifyBackup(join(folder, backup.name));
      const name = backupName(backup.number, BEFORE_DAMAGE, backup.date);
      renameOverSync(join(folder, backup.name), join(folder, name));
      return { ...backup, name, reason: BEFORE_DAMAGE, counts };
    } catch (error) {
      // A damaged backup is skipped and left in place.
      if (!(error instanceof StorageError)) throw error;
    }
  }
  return undefined;
}

const BEFORE_DAMAGE = { code: 'before_damage' } as const;

function reasonOf(kind: string, version: string | undefined): BackupReason {
  if (version !== undefined) return { code: 'before_migration', version: Number(version) };
  return kind === 'daily' ? { code: 'daily' } : BEFORE_DAMAGE;
}

function kindInName(reason: BackupReason): string {
  switch (reason.code) {
    case 'daily':
      return 'daily';
    case 'before_migration':
      return `before-v${reason.version}`;
    case 'before_damage':
      return 'before-damage';
  }
}

function backupName(number: number, reason: BackupReason, date: string): string {
  return `steward-${String(number).padStart(6, '0')}-${kindInName(reason)}-${date}.db`;
}
