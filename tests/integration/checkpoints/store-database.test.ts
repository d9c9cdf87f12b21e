import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src-main/checkpoints/store-database.ts';
import { temporaryFolder } from '../../fixtures/temporary-profile.ts';

test('a store of a later version stays what it is', () => {
  const file = join(temporaryFolder(), 'store.db');
  const store = openStore(file);
  const later = Number(store.pragma('user_version')) + 1;
  store.database.exec(`PRAGMA user_version = ${later}`);
  store.close();
  const again = openStore(file);
  expect(again.pragma('user_version')).toBe(later);
  again.close();
});
