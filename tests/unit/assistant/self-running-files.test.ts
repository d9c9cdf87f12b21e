import { expect, test } from 'vitest';
import { isSelfRunning } from '../../../src-main/assistant/review/self-running-files.ts';

test.each([
  '/w/package.json',
  '/w/lib/Makefile',
  '/w/vite.config.ts',
  '/w/.eslintrc.cjs',
  '/w/tests/conftest.py',
  '/w/.github/workflows/build.yml',
  '/w/.git/hooks/post-checkout',
  'C:\\w\\.vscode\\tasks.json',
  '/w/lib/site-packages/a.pth',
])('%s is run or obeyed by other programs', (path) => {
  expect(isSelfRunning(path)).toBe(true);
});

test.each(['/w/notes.md', '/w/src/config.ts', '/w/package.json.md', '/w/github/a.yml', '/w/my-makefile.txt'])(
  '%s is not',
  (path) => {
    expect(isSelfRunning(path)).toBe(false);
  },
);
