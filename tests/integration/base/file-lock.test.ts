import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileLockHeld, withFileLock } from '../../../src-main/base/file-lock.ts';
import { endsWithTest } from '../../fixtures/ends-with-test.ts';

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'config.lock');
}

/** Another process that holds the lock. */
async function holder(file: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'file-lock-holder.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endsWithTest(child);
  await once(child.stdout, 'data');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('those who want one lock get it one after the other', async () => {
  const file = lockFile();
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withFileLock(file, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
});

test('a lock held by another process is waited for, with a distinct error on timeout', async () => {
  const file = lockFile();
  await holder(file);
  await expect(withFileLock(file, async () => 'mine', { waitMs: 50 })).rejects.toThrow(FileLockHeld);
});

test('a lock ends with its holder, however that ends', async () => {
  const file = lockFile();
  const other = await holder(file);
  const mine = withFileLock(file, async () => 'mine', { waitMs: 30_000 });
  await other.kill();
  expect(await mine).toBe('mine');
});

test('the lock is released when the action fails', async () => {
  const file = lockFile();
  await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withFileLock(file, async () => 'mine', { waitMs: 0 })).toBe('mine');
});
