import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';

/** `migrating-child.ts PROFILE NUMBER`: opens an old profile and is killed right after the migration of that number has run. */
const [directory = '', number = ''] = process.argv.slice(2);

await openStorage({
  directory,
  migrations: MIGRATIONS.map((migration, index) => ({
    name: migration.name,
    up: (database) => {
      // What doesn't fit into its memory is written to the log before the commit.
      database.exec('PRAGMA cache_size = 1');
      migration.up(database);
      if (index + 1 === Number(number)) process.kill(process.pid, 'SIGKILL');
    },
  })),
});
