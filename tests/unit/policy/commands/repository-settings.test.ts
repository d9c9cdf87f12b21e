import { expect, test } from 'vitest';
import { isHarmless, settingsIn } from '../../../../src-main/policy/commands/git/repository-settings.ts';

const keys = (text: string) =>
  settingsIn(text)?.map(({ section, subsection, name }) =>
    [section, subsection, name].filter((part) => part !== null).join('.'),
  );

test('a configuration as git writes it is read', () => {
  const text =
    '# mine\n[core]\n\tbare = false\r\n\tFileMode\n; more\n[remote "origin"]\n\turl = https://x.org/a "b" # c\n[Branch "fix#1/a.b"]\n\tmerge = x\n';
  expect(keys(text)).toEqual(['core.bare', 'core.filemode', 'remote.origin.url', 'branch.fix#1/a.b.merge']);
});

test.each([
  'a = b',
  '[core] bare = true',
  '[core',
  '[core]]',
  '[core "a" b]',
  '[core "a\\"b"]',
  '[core]\n\ta = b\\',
  '[core]\n\ta = b\\\r',
  '[core]\n\t1a = b',
  '[core]\n\ta_b = c',
  '[core]\n\ta b',
  '[a.b]\n\tc = d',
  '[core]\n\u00a0a = b',
  '[core]\n\ta\u2028= b',
  '\ufeff[core]\n\ta = b',
])('%j is not', (text) => {
  expect(settingsIn(text)).toBeNull();
});

test.each([
  'include.path',
  'includeIf.gitdir:/.path',
  'core.alternateRefsCommand',
  'core.gitProxy',
  'core.virtualFilesystem',
  'diff.orderFile',
  'extensions.partialClone',
  'extensions.worktreeConfig',
  'remote.origin.promisor',
  'remote.origin.vcs',
  'remote.origin.uploadpack',
  'mailmap.file',
  'trailer.x.command',
  'submodule.x.update',
  'uploadpack.packObjectsHook',
  'unheard.of',
  'constructor.name',
])('%s is not known to be harmless', (key) => {
  const [section = '', ...rest] = key.toLowerCase().split('.');
  const [subsection, name] = rest.length === 2 ? rest : [null, rest[0]];
  expect(isHarmless({ section, subsection: subsection ?? null, name: name ?? '' })).toBe(false);
});
