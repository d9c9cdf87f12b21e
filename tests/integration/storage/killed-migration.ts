import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openReadable, type ReadableDatabase } from '../../../src-main/storage/database/connection.ts';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import { copyProfile } from '../../fixtures/profiles/copy-profile.ts';
import { dumpDatabase } from '../../fixtures/profiles/database-text.ts';
import { LATER_MIGRATIONS } from '../../fixtures/profiles/later-migrations.ts';
import { SCENES } from '../../fixtures/profiles/scenes.ts';
import { storageIn } from '../../fixtures/temporary-profile.ts';

/** Schema and rows, every one of them. */
export function contentOf(profile: string): string {
  return dumpDatabase(join(profile, 'steward.db'));
}

function backupIn(profile: string): ReadableDatabase {
  const [name = ''] = readdirSync(join(profile, 'backups')).sort();
  return openReadable(join(profile, 'backups', name));
}

export async function expectUpgraded(profile: string): Promise<void> {
  const storage = await storageIn(profile, { migrations: LATER_MIGRATIONS });
  expect(storage.conversations.list()).toHaveLength(SCENES.lines.length);
  expect(await storage.search('harbour')).not.toEqual([]);
  expect(storage.backups.list()).toHaveLength(1);
}

/**
 * A profile of the oldest schema whose upgrade was killed after this step of `LATER_MIGRATIONS`. It is as it was, and
 * there is a backup of it.
 */
export async function killedAt(step: number): Promise<string> {
  const { profile } = copyProfile(BASE_SCHEMA);
  const before = contentOf(profile);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'migrating-child.ts'), profile, String(step)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  expect(contentOf(profile)).toBe(before);
  const backup = backupIn(profile);
  expect(backup.pragma('user_version')).toBe(BASE_SCHEMA);
  expect(backup.statement('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  backup.close();
  return profile;
}
