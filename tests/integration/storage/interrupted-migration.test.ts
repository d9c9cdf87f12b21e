import { expect, test } from 'vitest';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import type { Migration } from '../../../src-main/storage/database/migrations/migration.ts';
import { MIGRATIONS, newestSchema } from '../../../src-main/storage/database/schema.ts';
import { copyProfile } from '../../fixtures/profiles/copy-profile.ts';
import { LATER_MIGRATIONS } from '../../fixtures/profiles/later-migrations.ts';
import { storageIn } from '../../fixtures/temporary-profile.ts';
import { contentOf, expectUpgraded, killedAt } from './killed-migration.ts';

/** The first, one in the middle, and the last. `interrupted-migration.long.test.ts` tries all of them. */
const STEPS = [1, 4, LATER_MIGRATIONS.length];

test('a migration that is killed leaves the profile as it was, and the next start begins again', async () => {
  for (const step of STEPS) await expectUpgraded(await killedAt(step));
});

test('a disk that fills up at any step leaves the profile as it was, and the next start begins again', async () => {
  const { profile } = copyProfile(BASE_SCHEMA);
  const before = contentOf(profile);
  for (const step of LATER_MIGRATIONS.keys()) {
    const migrations = LATER_MIGRATIONS.map(
      (migration, index): Migration => ({
        ...migration,
        up: (database) => {
          // From here on it may not have one page more.
          if (index === step) database.exec('PRAGMA max_page_count = 1');
          migration.up(database);
          if (index === step) database.exec('CREATE TABLE more (x); INSERT INTO more VALUES (zeroblob(100000))');
        },
      }),
    );
    await expect(storageIn(profile, { migrations })).rejects.toMatchObject({ code: 'disk_full' });
    expect(contentOf(profile)).toBe(before);
  }
  await expectUpgraded(profile);
});

test('the backups from before the last five upgrades are kept', async () => {
  const { profile } = copyProfile(BASE_SCHEMA);
  const upTo = (count: number): Migration[] => [
    ...MIGRATIONS,
    ...Array.from({ length: count }, (_, index) => ({
      name: `later ${index}`,
      up: (database: Parameters<Migration['up']>[0]) => database.exec(`CREATE TABLE later${index} (x)`),
    })),
  ];
  for (let count = 0; count < 7; count++) await (await storageIn(profile, { migrations: upTo(count) })).close();
  const storage = await storageIn(profile, { migrations: upTo(6) });
  const versions = storage.backups.list().map(({ reason }) => 'version' in reason && reason.version);
  expect(versions).toEqual([6, 5, 4, 3, 2].map((count) => newestSchema(upTo(count))));
});
