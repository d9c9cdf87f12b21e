import { test } from 'vitest';
import { LATER_MIGRATIONS } from '../../fixtures/profiles/later-migrations.ts';
import { expectUpgraded, killedAt } from './killed-migration.ts';

test.each(LATER_MIGRATIONS.map((_, index) => index + 1))(
  'an upgrade that is killed after step %i leaves the profile as it was, and the next start begins again',
  async (step) => expectUpgraded(await killedAt(step)),
);
