import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savePlace } from '../../../src-main/desktop/save-place.ts';

test('a file is saved where one was saved last, else among the documents, and never in a folder that its name gives', () => {
  const home = mkdtempSync(join(tmpdir(), 'steward-save-place-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [last, documents] = [join(home, 'last'), join(home, 'Documents')];
  for (const folder of [last, documents]) mkdirSync(folder);
  writeFileSync(join(home, 'file'), '');
  expect(savePlace('a.md', [last, documents, home])).toBe(join(last, 'a.md'));
  expect(savePlace('a.md', [null, documents, home])).toBe(join(documents, 'a.md'));
  expect(savePlace('a.md', [join(home, 'gone'), join(home, 'file'), home])).toBe(join(home, 'a.md'));
  expect(savePlace('../../.bashrc', [documents])).toBe(join(documents, '.bashrc'));
  expect(savePlace('a.md', ['relative', null])).toBe('a.md');
});
