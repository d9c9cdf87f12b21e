import { expect, test } from 'vitest';
import { isBookkeepingOfGit } from '../../../src-main/assistant/review/git-bookkeeping.ts';

const OBJECT = 'a'.repeat(38);

test.each([
  'index',
  'HEAD',
  'ORIG_HEAD',
  'COMMIT_EDITMSG',
  'logs/HEAD',
  'logs/refs/heads/main',
  'refs/heads/a/b',
  `objects/ab/${OBJECT}`,
  `objects/pack/pack-${'b'.repeat(40)}.idx`,
])('Git writes .git/%s by itself', (name) => {
  expect(isBookkeepingOfGit(`/w/project/.git/${name}`)).toBe(true);
  expect(isBookkeepingOfGit(`C:\\w\\.git\\${name.replaceAll('/', '\\')}`)).toBe(true);
});

test.each([
  '/w/Makefile',
  '/w/.git/config',
  '/w/.git/config.worktree',
  '/w/.git/hooks/pre-commit',
  '/w/.git/info/attributes',
  '/w/.git/Makefile',
  '/w/.git/x/Makefile',
  '/w/.git/objects/Makefile',
  '/w/.git/objects/ab/Makefile',
  '/w/.git/modules/sub/hooks/pre-push',
  '/w/git/index',
])('somebody may have written %s', (path) => {
  expect(isBookkeepingOfGit(path)).toBe(false);
});
