import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../../src-main/storage/storage.ts';

test('when an account was used, and why its sign-in ended, is known after a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-notes-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const now = new Date('2026-11-22T10:00:00.000Z');
  const first = await openStorage({ directory, now: () => now });
  expect(first.accountNotes.get('gmail')).toEqual({ lastUsed: undefined, ended: undefined });
  first.accountNotes.used('gmail', 'gmail_read');
  first.accountNotes.used('gmail', 'gmail_search');
  first.accountNotes.ended('gmail', 'testing');
  first.accountNotes.ended('calendar', 'refused');
  first.accountNotes.ended('calendar', undefined);
  await first.close();

  const second = await openStorage({ directory });
  onTestFinished(() => second.close());
  const at = now.toISOString();
  expect(second.accountNotes.get('gmail')).toEqual({
    lastUsed: { tool: 'gmail_search', at },
    ended: { why: 'testing', at },
  });
  expect(second.accountNotes.get('calendar')).toEqual({ lastUsed: undefined, ended: undefined });
});
