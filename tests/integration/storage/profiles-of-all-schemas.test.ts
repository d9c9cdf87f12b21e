import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { grantHash } from '../../../src-main/policy/permission-grants.ts';
import { type Services, startServices } from '../../../src-main/services.ts';
import { folderGrant } from '../../../src-main/settings/permission-grants.ts';
import { createDatabase } from '../../../src-main/storage/database/migrate.ts';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import { MIGRATIONS, newestSchema } from '../../../src-main/storage/database/schema.ts';
import { copyProfile, type ProfileCopy, storedSchemas } from '../../fixtures/profiles/copy-profile.ts';
import { dumpDatabase, schemaOf } from '../../fixtures/profiles/database-text.ts';
import { profileFolder, WRITTEN_IN } from '../../fixtures/profiles/scenes.ts';
import { temporaryFolder } from '../../fixtures/temporary-profile.ts';

const yes: ConsentPort = { ask: async () => ({ answer: 'allow', scope: 'once', by: 'user' }) };
const signal = new AbortController().signal;

async function opened({ profile, workspace }: ProfileCopy): Promise<Services> {
  const services = await startServices({
    profileDirectory: profile,
    launchDirectory: workspace,
    workspace,
    env: { HOME: workspace, PATH: process.env.PATH },
    consent: yes,
    isLongLived: true,
    signal,
  });
  onTestFinished(() => services.close());
  return services;
}

/** The number of the schema, and all that SQLite keeps of it. */
function schemaIn(file: string): unknown {
  const database = openSqlite(file, { readOnly: true });
  try {
    const byName = schemaOf(database).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return [database.prepare('PRAGMA user_version').get(), byName];
  } finally {
    database.close();
  }
}

function freshSchema(): unknown {
  const file = join(temporaryFolder(), 'fresh.db');
  createDatabase(file, MIGRATIONS);
  return schemaIn(file);
}

async function answerOf(services: Services, text: string): Promise<string> {
  const turn = await services.openPrompt({
    command: { kind: 'message', text },
    message: { content: [{ type: 'text', text }] },
    origin: { by: 'button' },
    conversation: null,
    title: text,
    model: 'guide',
  });
  expect(await turn.run({ signal, listener: () => undefined })).toBe('end_turn');
  return services.storage.exportMarkdown(turn.conversation.id);
}

test('there is a profile of every schema that there was', () => {
  expect(storedSchemas(), 'tests/fixtures/profiles/README.md says how to write the missing one').toEqual(
    Array.from({ length: MIGRATIONS.length + 1 }, (_, index) => BASE_SCHEMA + index),
  );
});

test.each(storedSchemas())('a profile with schema %i opens, with everything in it', async (schema) => {
  const copy = copyProfile(schema);
  const database = join(copy.profile, 'steward.db');
  const before = dumpDatabase(database);
  expect(before).toContain(`PRAGMA user_version = ${schema};`);
  const stored = readFileSync(join(profileFolder(schema), 'steward.sql'), 'utf8');
  expect(stored).toContain(grantHash(folderGrant(join(WRITTEN_IN, 'reports'))));

  const services = await opened(copy);
  const { storage, undo } = services;
  expect(services.takeNotices()).toEqual([]);

  const titles = storage.conversations.list().map(({ title }) => title);
  expect(titles[0]).toBe('When does the harbour open?');
  expect(titles.at(-1)).toBe('what time is it');
  const [harbour] = storage.conversations.list();
  const id = harbour?.id ?? '';
  expect(storage.events.read(id).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['user_message', 'usage', 'block', 'turn_end']),
  );
  expect(storage.exportMarkdown(id)).toContain('The harbour opens at nine.');
  expect((await storage.search('harbour nine')).map(({ conversationId }) => conversationId)).toContain(id);
  expect(await storage.search('time')).not.toEqual([]);

  expect(storage.rules.list(null).map(({ label }) => label)).toEqual([expect.stringContaining('echo tide')]);
  expect(services.unconfirmed).toEqual([]);
  expect(services.config).toMatchObject({
    folders: [copy.reports],
    providers: { local: { baseUrl: 'http://127.0.0.1:9/models' } },
    tools: { disabled: ['get_date'] },
  });
  expect(Object.keys(services.config.mcpServers)).toEqual(['tides']);
  expect(services.unreviewedServers).toEqual([]);
  expect(storage.usage.ofConversation(id)).toMatchObject([
    { provider: 'anthropic', input: expect.any(Number), costUsd: expect.any(Number) },
  ]);
  expect(storage.usage.ofConversation(id).reduce((sum, { input }) => sum + input, 0)).toBeGreaterThanOrEqual(1200);

  expect(storage.memory.getFact('harbour')?.value).toBe('Whitby');
  const search = { limit: 5, exceptConversation: null };
  expect(await storage.memory.searchMemory('lighthouse', search)).toMatchObject([{ kind: 'memory' }]);
  const written = storage.conversations.list().find(({ title }) => title.startsWith('/write_file'))?.id ?? '';
  for (const conversationId of [written, id]) {
    const [change] = undo.open(conversationId);
    const choice = { conversationId, turnId: null, callId: change?.callId ?? '' };
    const outcome = await undo.run(choice, { signal, listener: () => undefined });
    expect(outcome).toMatchObject({ kind: 'settled', undone: [expect.any(String)] });
  }
  expect(readFileSync(join(copy.workspace, 'plan.md'), 'utf8')).toBe('One\nTwo\n');
  expect(existsSync(join(copy.workspace, 'tides.md'))).toBe(false);
  expect(storage.accountNotes.get('google-gmail').lastUsed?.tool).toBe('gmail_search');
  expect(storage.outbox.list()).toMatchObject([{ subject: 'Tide', state: 'waiting' }]);
  expect(JSON.parse(storage.clientStates.get(id) ?? '')).toMatchObject({ opened: ['files'] });
  expect(storage.pairedPrograms.list()).toMatchObject([{ name: 'Editor', version: '1.2.0' }]);
  expect(storage.serverNotes.get('silent')).toEqual({ usedAt: undefined, silentAs: 'b94d27b9934d3e08' });

  expect(storage.trash.list().map(({ title }) => title)).toEqual(schema >= 13 ? ['Plans for the pier'] : []);

  expect(await answerOf(services, 'what time is it')).toMatch(/\d\d:\d\d/);
  await services.close();
  expect(schemaIn(database)).toEqual(freshSchema());

  const backups = readdirSync(join(copy.profile, 'backups'));
  expect(backups.filter((name) => name.includes('-before-v'))).toHaveLength(schema < newestSchema(MIGRATIONS) ? 1 : 0);
});
