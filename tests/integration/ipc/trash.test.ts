import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import { eraseOldRegularly } from '../../../src-main/ipc/conversations/trash.ts';
import type { TrashedConversation } from '../../../src-preload/contract/conversations.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

test('a deleted conversation is in the trash, out of reach, and deleted permanently only when the user says so', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  const { id: other } = await rig.turn('what day is it');
  await rig.request('conversations.remove', { id });
  const trash = () => rig.request<TrashedConversation[]>('conversations.trash');
  const [trashed] = await trash();
  expect(trashed).toMatchObject({ id, title: 'what time is it' });
  expect(Date.parse(trashed?.erasedFrom ?? '') - Date.parse(trashed?.deletedAt ?? '')).toBe(30 * 24 * 3_600_000);
  expect(await rig.request('conversations.search', { query: 'time' })).toEqual([]);
  for (const route of ['open', 'rename', 'export', 'retry', 'undo'])
    expect(
      await rig.code(`conversations.${route}`, { id, title: 'x', format: 'json', turnId: 'x', callId: null }),
      route,
    ).toBe('conversation_unknown');

  rig.hasGesture = false;
  expect(await rig.code('conversations.erase', { id })).toBe('no_gesture');
  expect(await rig.code('conversations.restore', { id })).toBe('no_gesture');
  expect(await rig.code('conversations.emptyTrash')).toBe('no_gesture');
  expect(rig.confirmations).toEqual([]);
  rig.hasGesture = true;
  rig.confirms = false;
  expect(await rig.request('conversations.erase', { id })).toEqual({ isErased: false });
  expect(await rig.request('conversations.emptyTrash')).toBeNull();
  expect(await trash()).toHaveLength(1);
  expect(rig.confirmations).toEqual([
    'Delete “what time is it” permanently?',
    'Delete the conversation in the trash permanently?',
  ]);

  rig.confirms = true;
  expect(await rig.request('conversations.erase', { id })).toEqual({ isErased: true });
  expect(await trash()).toEqual([]);
  expect(await rig.code('conversations.restore', { id })).toBe('conversation_unknown');
  // One that is not in the trash.
  expect(await rig.request('conversations.erase', { id: other })).toEqual({ isErased: true });
  expect(await rig.request('conversations.list')).toEqual([]);
});

test('emptying the trash leaves what is in use, and says so', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  const { id: busy } = await rig.turn('what day is it');
  const storage = await storageIn(rig.profile);
  const lease = storage.leases.acquire(busy);
  for (const each of [id, busy]) await rig.request('conversations.remove', { id: each });
  expect(await rig.request('conversations.emptyTrash')).toEqual({ left: 1 });
  expect(await rig.request('conversations.trash')).toMatchObject([{ id: busy }]);
  if ('release' in lease) lease.release();
});

test('what was in the trash for long enough is erased when the window starts, and every hour', async () => {
  const profile = temporaryFolder();
  const storage = await storageIn(profile);
  const deleted = (days: number) => {
    const { id } = storage.conversations.create({ workspace: '/', model: 'guide', title: `${days} days` });
    storage.events.appendAll(id, 'turn', [{ type: 'user_message', content: [{ type: 'text', text: 'x' }] }]);
    storage.conversations.remove(id);
    const database = openSqlite(join(profile, 'steward.db'));
    const at = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
    database.prepare('UPDATE conversations SET deleted_at = ? WHERE id = ?').run(at, id);
    database.close();
    return id;
  };
  const titles = () => storage.trash.list().map(({ title }) => title);
  deleted(31);
  deleted(29);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const ending = new AbortController();
  onTestFinished(() => void vi.useRealTimers());
  const onFault = (error: unknown) => expect.fail(String(error));
  eraseOldRegularly(storage, { signal: ending.signal, onFault });
  await vi.waitFor(() => expect(titles()).toEqual(['29 days']), SOON);
  deleted(40);
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(() => expect(titles()).toEqual(['29 days']), SOON);
  ending.abort();
  deleted(41);
  vi.advanceTimersByTime(3_600_000);
  expect(titles()).toContain('41 days');
});
