import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RuleStore } from '../../../src-main/policy/rules.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const begun = { workspace: '/work', model: 'guide' };
const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;

test('the conversation in which something happened last comes first, whatever the clock says', async () => {
  let now = Date.parse('2030-01-01');
  const { conversations, events } = await storageIn(temporaryFolder(), { now: () => new Date(now) });
  const first = conversations.create(begun);
  const second = conversations.create(begun);
  expect(conversations.latest()?.id).toBe(second.id);
  now = Date.parse('1999-12-31');
  events.appendAll(first.id, 'turn', [said('hello')]);
  expect(conversations.list().map(({ id }) => id)).toEqual([first.id, second.id]);
  const third = conversations.create(begun);
  expect(conversations.list().map(({ id }) => id)).toEqual([third.id, first.id, second.id]);
  expect(conversations.get(first.id)?.updatedAt).toBe('1999-12-31T00:00:00.000Z');
});

test('a conversation can be renamed, given another model, removed and brought back', async () => {
  const { conversations, events } = await storageIn(temporaryFolder());
  const { id } = conversations.create({ ...begun, title: 'Old' });
  events.appendAll(id, 'turn', [said('kept')]);
  expect(conversations.rename(id, 'New "title"')).toMatchObject({ id, title: 'New "title"' });
  expect(conversations.setModel(id, 'anthropic:x')).toMatchObject({ model: 'anthropic:x' });
  expect(conversations.remove(id).deletedAt).not.toBeNull();
  expect(conversations.list()).toEqual([]);
  expect(conversations.latest()).toBeUndefined();
  expect(conversations.get(id)?.deletedAt).not.toBeNull();
  expect(conversations.restore(id).deletedAt).toBeNull();
  expect(conversations.list()).toHaveLength(1);
  expect(events.read(id)).toHaveLength(1);
});

test('an unknown conversation is an error that names it, and nothing is added', async () => {
  const { conversations, events, exportMarkdown } = await storageIn(temporaryFolder());
  const unknown = expect.objectContaining({ code: 'conversation_unknown', message: expect.stringContaining('nope') });
  expect(conversations.get('nope')).toBeUndefined();
  expect(() => conversations.rename('nope', 'x')).toThrow(unknown);
  expect(() => events.appendAll('nope', 'turn', [said('x')])).toThrow(unknown);
  expect(() => events.read('nope')).toThrow(unknown);
  expect(() => exportMarkdown('nope')).toThrow(unknown);
});

test('everything is restored after reopening, and no other user can read it', async () => {
  const directory = join(temporaryFolder(), 'deep', 'profile');
  const storage = await storageIn(directory);
  const { id } = storage.conversations.create(begun);
  storage.events.appendAll(id, 'turn', [said('hello')]);
  storage.confirmations.set('mcpServers.files', 'abc');
  await storage.close();
  expect(() => storage.conversations.list()).toThrow(expect.objectContaining({ code: 'storage_closed' }));
  await storage.close();
  const again = await storageIn(directory);
  expect(again.events.read(id)).toMatchObject([said('hello')]);
  expect(again.confirmations.get('mcpServers.files')).toBe('abc');
  if (process.platform !== 'win32') {
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of ['steward.db', 'steward.db-wal']) expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  }
});

test('rules are what the policy keeps: of one conversation or for always, counted, revocable', async () => {
  const { rules, conversations } = await storageIn(temporaryFolder(), { now: () => new Date('2026-11-21T10:00:00Z') });
  const store: RuleStore = rules;
  const { id: conversationId } = conversations.create(begun);
  const always = store.add(
    { label: 'run "git status"', tool: null, matcher: { kind: 'exact-command', line: 'git status', directory: '/w' } },
    null,
  );
  const here = store.add(
    { label: 'edit /w', tool: 'write_file', matcher: { kind: 'folder', class: 'write', path: '/w' } },
    conversationId,
  );
  expect(store.list(conversationId)).toEqual([always, here]);
  expect(store.list(null)).toEqual([always]);
  expect(store.list('another')).toEqual([always]);
  expect(rules.all()).toEqual([always, here]);
  store.markUsed(always.id);
  store.markUsed(always.id);
  expect(store.list(null)).toEqual([{ ...always, uses: 2, lastUsedAt: '2026-11-21T10:00:00.000Z' }]);
  expect(store.revoke(here.id)).toBe(true);
  expect(store.revoke(here.id)).toBe(false);
  expect(rules.all()).toHaveLength(1);
});

test('confirmations keep one hash per key', async () => {
  const { confirmations } = await storageIn(temporaryFolder());
  expect(confirmations.get('a')).toBeUndefined();
  confirmations.set('b', '1');
  confirmations.set('a', '1');
  confirmations.set('a', '2');
  expect(confirmations.get('a')).toBe('2');
  expect(confirmations.keys()).toEqual(['a', 'b']);
  confirmations.remove('a');
  expect(confirmations.keys()).toEqual(['b']);
});
