import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schemaVersionOf } from '../../../src-main/storage/database/schema-version.ts';
import { openStorage, type Storage } from '../../../src-main/storage/storage.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'steward-log-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const logBytes = () => statSync(join(directory, 'steward.db-wal'), { throwIfNoEntry: false })?.size ?? 0;

function write({ conversations, events }: Storage): string {
  const { id } = conversations.create({ workspace: '/work', model: 'guide' });
  for (let index = 0; index < 20; index += 1)
    events.appendAll(id, 'turn', [{ type: 'text_delta', text: `${index} ${'x'.repeat(100_000)}` }]);
  return id;
}

test('a start does not have to read what many runs before it wrote to the log', async () => {
  const storage = await openStorage({ directory });
  const id = write(storage);
  expect(logBytes()).toBeGreaterThan(1_048_576);
  await storage.close();
  expect(logBytes()).toBe(0);
  expect(schemaVersionOf(join(directory, 'steward.db'))).toBeGreaterThan(0);
  const again = await openStorage({ directory });
  expect(again.events.read(id)).toHaveLength(20);
  await again.close();
});

test('a log that another one uses stays as it is, and nobody waits for it', async () => {
  const [first, second] = [await openStorage({ directory }), await openStorage({ directory })];
  const id = write(first);
  await first.close();
  expect(second.events.read(id)).toHaveLength(20);
  write(second);
  await second.close();
  expect(logBytes()).toBe(0);
});
