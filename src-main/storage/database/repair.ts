import { renameOverSync } from '../../base/rename-over.ts';
import { syncToDisk } from '../backups/backup-database.ts';
import { keepNewestGoodBackup } from '../backups/backup-names.ts';
import { createDatabase } from './migrate.ts';
import type { EventConverter, Migration } from './migrations/migration.ts';
import type { ProfileFiles } from './profile-folder.ts';
import { describeCounts } from './row-counts.ts';
import { salvage } from './salvage.ts';
import { newestSchema } from './schema.ts';
import { replaceDatabase } from './set-aside.ts';

/** An event that people should be told about. */
export interface StorageNotice {
  readonly code: string;
  readonly message: string;
}

export interface RepairContext {
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

/** Further counts, for people. */
const SALVAGED = [
  ['rules', 'rule', 'rules'],
  ['confirmations', 'confirmed setting', 'confirmed settings'],
  ['facts', 'fact', 'facts'],
  ['memories', 'memory', 'memories'],
  ['before_images', 'kept version of a file', 'kept versions of files'],
  ['unreviewed_files', 'unreviewed change', 'unreviewed changes'],
  ['client_states', 'set of client tools', 'sets of client tools'],
  ['outbox', 'email that waits to be sent', 'emails that wait to be sent'],
  ['mcp_definitions', 'reviewed tool description', 'reviewed tool descriptions'],
] as const;

/**
 * Sets a damaged database aside and replaces it with a new one that contains everything readable. No other process may
 * have it open. If this is killed at any point, the damaged file still exists and the next start begins again or
 * completes the repair. `eventConverter` is needed if the database may be of an older schema.
 */
export function repairDatabase(
  files: ProfileFiles,
  reason: string,
  context: RepairContext,
  eventConverter?: () => EventConverter,
): StorageNotice {
  const fresh = `${files.database}.new`;
  createDatabase(fresh, context.migrations);
  const { saved, skipped } = salvage(files.database, fresh, { now: context.now, eventConverter });
  syncToDisk(fresh);
  renameOverSync(fresh, files.replacement);
  const aside = replaceDatabase(files, 'damaged');
  const unusable = skipped === 0 ? '' : ` ${skipped} more could not be understood.`;
  return {
    code: 'database_damaged',
    message: [
      `The database in ${files.directory} was damaged (${reason}). It was set aside as ${aside}; nothing was deleted.`,
      `Recovered into a new database: ${describeCounts(saved)}, ${SALVAGED.map(([table, one, several]) => `${saved[table]} ${saved[table] === 1 ? one : several}`).join(', ')}.${unusable}`,
      offerNewestBackup(files, context),
    ].join(' '),
  };
}

export function newDatabaseNotice(files: ProfileFiles, context: RepairContext): StorageNotice {
  return {
    code: 'database_missing',
    message: `The database in ${files.directory} no longer exists, so a new one was created. ${offerNewestBackup(files, context)}`,
  };
}

function offerNewestBackup(files: ProfileFiles, { migrations }: RepairContext): string {
  const backup = keepNewestGoodBackup(files.backups, newestSchema(migrations));
  if (backup === undefined) return 'There is no usable backup.';
  return `The newest usable backup is from ${backup.date} (${describeCounts(backup.counts)}). To restore it: /data restore ${backup.name}`;
}
