import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foundBelow } from '../../../src-main/tools/shell/found-files.ts';
import { walk } from '../../../src-main/tools/shell/walk.ts';
import { never } from '../../fixtures/memory-ports.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-found-')));
  const line = 'mkdir -p {1..70}/.vscode; touch {1..70}/{1..30}; touch 1/.env; ln 1/1 2/x';
  execFileSync('bash', ['-ec', line], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder with many entries is looked through in a thread, with the same result', async () => {
  const job = { folder, withLinked: true };
  const found = await foundBelow(job, 60_000, { signal: never });
  expect(found).toEqual({ folder, lack: undefined, ...walk(job) });
  expect([found.secretLike.length, found.obeyed.length, found.linked.length]).toEqual([1, 70, 2]);
});

test('what takes too long is not said to be all, and Stop ends it', async () => {
  const job = { folder, withLinked: true };
  expect((await foundBelow(job, 0, { signal: never })).lack).toBe('it takes too long');
  await expect(foundBelow(job, 60_000, { signal: AbortSignal.abort() })).rejects.toMatchObject({ outcome: 'stopped' });
});
