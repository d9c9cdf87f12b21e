import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInside } from '../../../src-main/base/paths.ts';
import { realPathOf, realPathOfSync } from '../../../src-main/base/real-path.ts';

/**
 * A file system in which `written` is another spelling of the folder `real`: by case, as on macOS and Windows, or by a
 * drive that stands for it (`subst`). Only the system's own `realpath` knows. Here both folders exist, as `lstat` finds
 * something under either name there.
 */
function respelled() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-spelling-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [real, written] = [join(folder, 'Project'), join(folder, 'project')];
  for (const each of [real, written]) {
    mkdirSync(join(each, 'src'), { recursive: true });
    writeFileSync(join(each, 'src', 'a.ts'), '');
  }
  const sync = (path: string) => realpathSync.native(path).replace(written, real);
  const both = async (path: string) => {
    const found = realPathOfSync(path, sync);
    expect(await realPathOf(path, async (each) => sync(each))).toEqual(found);
    return found;
  };
  return { real, written, both };
}

test('a root and what is in it have one spelling, whether it exists yet or not', async () => {
  const { real, written, both } = respelled();
  const root = await both(written);
  expect(root).toEqual({ path: real, exists: true });
  for (const [name, exists] of [
    ['src/a.ts', true],
    ['src/new.ts', false],
    ['new/folder/b.ts', false],
  ] as const) {
    const found = await both(join(written, name));
    expect(found).toEqual({ path: join(real, name), exists });
    expect(isInside(root.path, found.path)).toBe(true);
  }
});

test('what does not exist yet keeps the spelling that it was given', async () => {
  const { real, written, both } = respelled();
  expect((await both(join(written, 'SRC-new', 'File.TS'))).path).toBe(join(real, 'SRC-new', 'File.TS'));
});
