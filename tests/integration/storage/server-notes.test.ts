import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../../src-main/storage/storage.ts';

test('when an MCP server was used, and as what it was silent, is known after a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-notes-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const now = new Date('2026-11-22T10:00:00.000Z');
  const nothing = { usedAt: undefined, silentAs: undefined };
  const first = await openStorage({ directory, now: () => now });
  expect(first.serverNotes.get('notes')).toEqual(nothing);
  first.serverNotes.used('notes');
  first.serverNotes.silent('notes', 'the hash');
  first.serverNotes.silent('files', 'another');
  first.serverNotes.silent('files', undefined);
  first.serverNotes.used('gone');
  first.serverNotes.remove('gone');
  await first.close();

  const second = await openStorage({ directory });
  onTestFinished(() => second.close());
  expect(second.serverNotes.get('notes')).toEqual({ usedAt: now.toISOString(), silentAs: 'the hash' });
  expect([second.serverNotes.get('files'), second.serverNotes.get('gone')]).toEqual([nothing, nothing]);
});
