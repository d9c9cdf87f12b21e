import { expect, test } from 'vitest';
import { compileGlob, expandBraces } from '../../../src-main/base/glob.ts';
import { secretNameGlobs } from '../../../src-main/policy/secret-file-names.ts';
import { isSecretLike } from '../../../src-main/policy/secret-like-names.ts';

test('a search for secrets looks at each name that a pattern matches, and at no other', () => {
  const names = secretNameGlobs
    .flatMap(expandBraces)
    .flatMap((glob) => ['', 'x', 'a\nb'].map((any) => glob.replaceAll('*', any).replace('[!.]', 'x')))
    .flatMap((name) => ['-', '_', '.', '~', ' '].map((character) => name.replace(/\[[^\]]*\]/, character)));
  const isMatched = (name: string) => secretNameGlobs.some((glob) => compileGlob(glob)(name));
  const matched = names.filter(isMatched);
  expect(matched.length).toBeGreaterThan(500);
  expect(matched.filter((name) => !isSecretLike(name))).toEqual([]);
  expect(['config', 'hosts.yml'].map(isSecretLike)).toEqual([true, true]);
  expect(['config.ts', 'keyboard.ts', 'environment', 'readme.md'].filter(isSecretLike)).toEqual([]);
});
