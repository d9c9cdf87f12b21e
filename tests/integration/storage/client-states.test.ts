import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStorage } from '../../../src-main/storage/storage.ts';

test('another version is another state, whoever wrote it; a read or another table of this process changes none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-client-states-'));
  const [mine, other] = [await openStorage({ directory }), await openStorage({ directory })];
  try {
    const { id } = mine.conversations.create({ workspace: directory, model: 'none' });
    const versions = [mine.clientStates.version()];
    const next = (write: () => void) => {
      write();
      versions.push(mine.clientStates.version());
    };
    next(() => mine.clientStates.set(id, '{"a":1}'));
    next(() => other.clientStates.set(id, '{"a":2}'));
    next(() => mine.clientStates.removeAll('$.a'));
    expect(new Set(versions).size).toBe(4);
    mine.clientStates.get(id);
    mine.conversations.rename(id, 'x');
    expect(mine.clientStates.version()).toBe(versions.at(-1));
  } finally {
    await mine.close();
    await other.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('what clients registered belongs to its conversation, and stays while that can be restored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-client-states-'));
  try {
    const first = await openStorage({ directory });
    const { id } = first.conversations.create({ workspace: directory, model: 'none' });
    const { id: other } = first.conversations.create({ workspace: directory, model: 'none' });
    expect(first.clientStates.get(id)).toBeUndefined();
    first.clientStates.set(id, '{"a":1}');
    first.clientStates.set(id, '{"a":2}');
    expect(first.clientStates.get(other)).toBeUndefined();
    expect(() => first.clientStates.set('unknown', '{}')).toThrow(
      expect.objectContaining({ code: 'conversation_unknown' }),
    );
    first.conversations.remove(id);
    await first.close();

    const second = await openStorage({ directory });
    second.conversations.restore(id);
    expect(second.clientStates.get(id)).toBe('{"a":2}');
    await second.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
