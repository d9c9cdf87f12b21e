import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { longFiles } from '../../scripts/long-files.mjs';

test('long sources are named, the longest first; others and tests are not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'steward-long-files-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const sizes = {
    'src-main/long.ts': 351,
    'src-renderer/ui/Longer.svelte': 400,
    'src-main/fine.ts': 350,
    'tests/x.ts': 900,
  };
  for (const folder of ['src-main', 'src-renderer/ui', 'tests']) await mkdir(join(root, folder), { recursive: true });
  for (const [file, lines] of Object.entries(sizes)) await writeFile(join(root, file), 'line\n'.repeat(lines));

  expect(longFiles(root)).toEqual(['src-renderer/ui/Longer.svelte: 400 lines', 'src-main/long.ts: 351 lines']);
});
