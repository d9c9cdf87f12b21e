import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

test('a process that closes during a checkpoint waits for its end, and continues', () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-close-'));
  try {
    const { status, stdout } = spawnSync(process.execPath, [child, 'close-often', directory], { encoding: 'utf8' });
    expect(stdout.trim().split('\n').at(-1)).toBe('{"closed":12}');
    expect(status).toBe(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
