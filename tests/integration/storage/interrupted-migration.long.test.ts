import { test } from 'vitest';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import { expectUpgraded, killedAt } from './killed-migration.ts';

test.each(MIGRATIONS.slice(1).map((_, index) => index + 2))(
  'an upgrade that is killed after migration %i leaves the profile as it was, and the next start begins again',
  async (step) => expectUpgraded(await killedAt(step)),
);
