import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openReadable, openWritable } from '../../../src-main/storage/database/connection.ts';
import type { Storage } from '../../../src-main/storage/storage.ts';
import { LATER_MIGRATIONS } from '../../fixtures/profiles/later-migrations.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const untrusted = { kind: 'untrusted', source: 'https://evil.example' } as const;
const command = { label: 'npm test', tool: null, matcher: { kind: 'command', argv: ['npm', 'test'] } };
const folder = { label: 'edit files in /w', tool: null, matcher: { kind: 'folder', class: 'write', path: '/w' } };
const change = (path: string) => ({
  path,
  hash: 'written',
  marks: [untrusted],
  conversationId: 'conversation',
  callId: `call of ${path}`,
});

let directory: string;
let storage: Storage;

/** What is decided when the backup is made. */
beforeEach(async () => {
  directory = temporaryFolder();
  storage = await storageIn(directory);
  storage.rules.add(command, null);
  storage.rules.add(folder, 'conversation');
  storage.confirmations.set('mcpServers.files', 'the first hash');
  storage.confirmations.set('folders[0]', 'revoked later');
  storage.unreviewedFiles.add(change('/w/reviewed-later'));
  storage.memory.setFact('city', 'Lisbon', []);
});

/** What is decided afterwards. */
function decideAnew(): void {
  for (const { id } of storage.rules.all()) storage.rules.revoke(id);
  storage.rules.add({ ...command, label: 'npm run lint' }, null);
  storage.confirmations.remove('folders[0]');
  storage.confirmations.set('mcpServers.files', 'the second hash');
  storage.unreviewedFiles.remove(storage.unreviewedFiles.list().map(({ num }) => num));
  storage.unreviewedFiles.add(change('/w/package.json'));
  storage.memory.setFact('city', 'Porto', []);
}

function expectDecisionsOfNow(): void {
  expect(storage.rules.all()).toMatchObject([{ label: 'npm run lint', matcher: command.matcher }]);
  expect(storage.confirmations.keys()).toEqual(['mcpServers.files']);
  expect(storage.confirmations.get('mcpServers.files')).toBe('the second hash');
  expect(storage.unreviewedFiles.list()).toMatchObject([{ ...change('/w/package.json') }]);
}

async function backUp(): Promise<string> {
  await storage.backups.makeDaily();
  return storage.backups.list()[0]?.name ?? '';
}

test('a restored backup brings back no rule, no permission grant, and no state of review', async () => {
  const name = await backUp();
  decideAnew();
  const rule = storage.rules.all()[0]?.id ?? '';
  storage.rules.markUsed(rule);
  await storage.backups.restore(name);
  expect(storage.memory.getFact('city')?.value).toBe('Lisbon');
  expectDecisionsOfNow();
  expect(storage.rules.all()).toMatchObject([{ id: rule, uses: 1 }]);
  // The control: all of it stands in the backup.
  const backup = openReadable(join(directory, 'backups', name));
  const labels = backup.statement('SELECT label FROM rules ORDER BY num').all();
  const paths = backup.statement('SELECT path FROM unreviewed_files').all();
  backup.close();
  expect(labels).toEqual([{ label: command.label }, { label: folder.label }]);
  expect(paths).toEqual([{ path: '/w/reviewed-later' }]);
});

test('nor after the next start, nor from a backup of an older version', async () => {
  const name = await backUp();
  await storage.close();
  storage = await storageIn(directory, { migrations: LATER_MIGRATIONS });
  decideAnew();
  await storage.backups.restore(name);
  expectDecisionsOfNow();
  await storage.close();
  storage = await storageIn(directory, { migrations: LATER_MIGRATIONS });
  expect(storage.memory.getFact('city')?.value).toBe('Lisbon');
  expectDecisionsOfNow();
});

test('a backup that cannot take over the current decisions is not restored', async () => {
  const name = await backUp();
  decideAnew();
  const broken = openWritable(join(directory, 'backups', name));
  broken.database.exec('DROP TABLE rules');
  broken.close();
  await expect(storage.backups.restore(name)).rejects.toHaveProperty('code');
  expect(storage.memory.getFact('city')?.value).toBe('Porto');
  expectDecisionsOfNow();
});

test('unreviewed files are salvaged from a damaged database', async () => {
  await storage.close();
  const file = join(directory, 'steward.db');
  const damaged = openWritable(file);
  damaged.database.exec('PRAGMA application_id = 1');
  damaged.close();
  storage = await storageIn(directory, { onNotice: () => undefined });
  expect(storage.unreviewedFiles.list()).toMatchObject([change('/w/reviewed-later')]);
});
