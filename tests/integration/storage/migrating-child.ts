import { openStorage } from '../../../src-main/storage/storage.ts';
import { LATER_MIGRATIONS } from '../../fixtures/profiles/later-migrations.ts';

/**
 * `migrating-child.ts PROFILE STEP`: opens an older profile and is killed right after this step of `LATER_MIGRATIONS`
 * has run, counted from 1.
 */
const [directory = '', step = ''] = process.argv.slice(2);

await openStorage({
  directory,
  migrations: LATER_MIGRATIONS.map((migration, index) => ({
    ...migration,
    up: (database) => {
      // What doesn't fit into its memory is written to the log before the commit.
      database.exec('PRAGMA cache_size = 1');
      migration.up(database);
      if (index + 1 === Number(step)) process.kill(process.pid, 'SIGKILL');
    },
  })),
});
