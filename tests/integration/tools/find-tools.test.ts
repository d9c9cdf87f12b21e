import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTools } from '../../fixtures/open-tools.ts';
import {
  accessDenied,
  directoryNotFound,
  filesIn,
  isNoDirectory,
  isRequired,
  noFilesMatched,
  noSuchDirectory,
  unclosedBrace,
} from '../../fixtures/tool-texts.ts';

test('list_directory names everything in a folder with its kind', async () => {
  const tools = openTools();
  for (const path of ['b.txt', 'a.txt', '.env', 'src/x', '.git/config']) tools.put(path, '');
  symlinkSync('src', join(tools.workspace, 'link'));
  symlinkSync('nowhere', join(tools.workspace, 'dangling'));
  mkdirSync(join(tools.workspace, 'empty'));
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  const { workspace } = tools;
  expect(await tools.call('list_directory', {})).toEqual({
    text: [
      filesIn(`${workspace}`),
      '',
      '- .env (file)',
      '- .git (directory)',
      '- a.txt (file)',
      '- b.txt (file)',
      '- dangling (symlink)',
      '- empty (directory)',
      '- link (symlink)',
      '- pipe (other)',
      '- src (directory)',
    ].join('\n'),
    isError: false,
  });
  expect(await tools.text('list', { path: 'link' })).toBe(filesIn(`${workspace}/link`, '- x (file)'));
  expect(await tools.text('list', { path: 'empty' })).toBe(filesIn(`${workspace}/empty`));
  const folders = new Set(tools.marks.map(({ kind, source }) => `${kind}: ${source}`));
  expect(folders).toEqual(
    new Set(['private: files in the workspace', 'private: files in src', 'private: files in empty']),
  );
});

test('list_directory says what is wrong in the words of the catalogue', async () => {
  const tools = openTools();
  tools.put('a.txt', '');
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  const list = (path: string) => tools.text('list_directory', { path });
  expect(await list('a.txt')).toBe(isNoDirectory);
  expect(await list('pipe')).toBe(isNoDirectory);
  expect(await list('nope')).toBe(noSuchDirectory('nope'));
  expect(await list('a.txt/nope')).toBe(noSuchDirectory('a.txt/nope'));
  expect(await list('../x')).toBe(accessDenied('directory', tools.workspace));
});

test('glob gives absolute paths of files, sorted', async () => {
  const tools = openTools();
  for (const path of ['a.ts', 'src/b.ts', 'src-x/c.ts', 'x.js', '.hidden.ts', '.h/d.ts', '.git/e.ts', 'src/.GIT/f.ts'])
    tools.put(path, '');
  mkdirSync(join(tools.workspace, 'folder.ts'));
  const { workspace } = tools;
  const glob = async (pattern: string, path?: string) =>
    (await tools.text('glob', { pattern, path })).replaceAll(workspace, '');
  expect(await glob('**/*.ts')).toBe('/a.ts\n/src-x/c.ts\n/src/b.ts');
  expect(tools.cards.at(-1)).toEqual({
    kind: 'matches',
    matches: ['a.ts', 'src-x/c.ts', 'src/b.ts'].map((path) => ({ path: join(workspace, path) })),
    total: 3,
  });
  expect(await glob('*.{js,ts}')).toBe('/a.ts\n/x.js');
  expect(await glob('*.ts', 'src')).toBe('/src/b.ts');
  expect(await glob('[a-b].t?')).toBe('/a.ts');
  expect(await glob('src/b.ts')).toBe('/src/b.ts');
  expect(await glob('.*.ts')).toBe('/.hidden.ts');
  expect(await glob('.h/*')).toBe('/.h/d.ts');
  expect(await glob('{.git,src/.GIT}/*')).toBe(noFilesMatched('{.git,src/.GIT}/*'));
  // In a worktree .git is a file.
  for (const path of ['worktree/.git', 'worktree/x.git']) tools.put(path, '');
  expect(await glob('**/{.,}*.git')).toBe('/worktree/x.git');
  expect(await glob('worktree/.*')).toBe(noFilesMatched('worktree/.*'));
  expect(await tools.call('glob', { pattern: '*.zzz' })).toEqual({
    text: noFilesMatched('*.zzz'),
    isError: false,
  });
  expect(new Set(tools.marks.map(({ kind }) => kind))).toEqual(new Set(['private']));
});

test('glob lists links to files and does not follow links to folders', async () => {
  const tools = openTools();
  tools.put('src/a.ts', '');
  symlinkSync('src', join(tools.workspace, 'folder'));
  symlinkSync('src/a.ts', join(tools.workspace, 'link.ts'));
  symlinkSync('gone', join(tools.workspace, 'dangling.ts'));
  const { workspace } = tools;
  expect(await tools.text('glob', { pattern: '**/*.ts' })).toBe(`${workspace}/link.ts\n${workspace}/src/a.ts`);
  expect(await tools.text('glob', { pattern: 'folder/*.ts' })).toBe(noFilesMatched('folder/*.ts'));
  expect(await tools.text('glob', { pattern: '*.ts', path: 'folder' })).toBe(`${workspace}/folder/a.ts`);
});

test('a pattern that says where to begin passes the same policy as a path', async () => {
  const tools = openTools({ folders: ['other'] });
  tools.put('src/a.ts', '');
  tools.put('../other/b.ts', '');
  tools.put('../secret/c.ts', '');
  const { workspace, base } = tools;
  const glob = (pattern: string, path?: string) => tools.text('glob', { pattern, path });
  expect(await glob(`${workspace}/**/*.ts`)).toBe(`${workspace}/src/a.ts`);
  expect(await glob(`${workspace}/src/a.ts`)).toBe(`${workspace}/src/a.ts`);
  expect(await glob('../other/*.ts')).toBe(`${base}/other/b.ts`);
  expect(await glob('../s*/*.ts', 'src')).toBe(`${workspace}/src/a.ts`);
  expect(await glob(`${workspace}/gone/*.ts`)).toBe(noFilesMatched(`${workspace}/gone/*.ts`));
  const denied = accessDenied('directory', workspace);
  expect(await glob('../secret/*')).toBe(denied);
  expect(await glob(`${base}/secret/*.ts`)).toBe(denied);
  expect(await glob('/*')).toBe(denied);
  expect(await glob('*', '../secret')).toBe(denied);
  expect(await glob('src/../../secret/*')).toBe(denied);
});

test('.. in a pattern means what it means in a path', async () => {
  const tools = openTools({ folders: ['other'] });
  tools.put('a/x.ts', '');
  tools.put('b/y.ts', '');
  tools.put('../other/z.ts', '');
  const { workspace, base } = tools;
  const glob = (pattern: string, path?: string) => tools.text('glob', { pattern, path });
  const found = `${workspace}/b/y.ts`;
  for (const pattern of ['a/../b/*.ts', './a/./..//b/*.ts', 'a*/../b/*.ts', 'gone/../**/y.ts', '{a,c}/../b/*'])
    expect(await glob(pattern)).toBe(found);
  expect(await glob(`${workspace}/a/../b/*.ts`)).toBe(found);
  expect(await glob('x/../../b/*.ts', 'a')).toBe(found);
  expect(await glob('a/b/../../../other/*')).toBe(`${base}/other/z.ts`);
  for (const pattern of ['**/../b/*.ts', 'a/{x/b,c}/../*'])
    expect(await glob(pattern)).toMatch(
      /^Error: the pattern .* has \.\. after (?:\*\*|b,c\}), which can match several folders\. Give the folder in path instead$/,
    );
});

test('names with brackets are found as they are written, where the brackets as a choice find nothing', async () => {
  const tools = openTools();
  for (const path of ['app/[id]/(main)/page.tsx', 'app/[...rest]/page.tsx', 'file[1].txt', '[slug]/i/a.ts', 'lib/a.ts'])
    tools.put(path, '');
  const { workspace } = tools;
  const glob = async (pattern: string) => (await tools.text('glob', { pattern })).replaceAll(`${workspace}/`, '');
  expect(await glob('app/[id]/(main)/page.tsx')).toBe('app/[id]/(main)/page.tsx');
  expect(await glob('app/[id]/**/*.{ts,tsx}')).toBe('app/[id]/(main)/page.tsx');
  expect(await glob('app/[...rest]/*')).toBe('app/[...rest]/page.tsx');
  expect(await glob(`${workspace}/[slug]/**`)).toBe('[slug]/i/a.ts');
  expect(await glob('file[1].txt')).toBe('file[1].txt');
  expect(await glob('[lm]ib/*.ts')).toBe('lib/a.ts');
  tools.put('file1.txt', '');
  expect(await glob('file[1].txt')).toBe('file1.txt');
  expect(await glob('file[2].txt')).toBe(noFilesMatched('file[2].txt'));
});

test('glob says what is wrong', async () => {
  const tools = openTools();
  expect(await tools.text('glob', {})).toBe(isRequired('pattern'));
  expect(await tools.text('glob', { pattern: '*', path: 'nope' })).toBe(directoryNotFound('nope'));
  expect(await tools.text('glob', { pattern: '{a' })).toBe(unclosedBrace('{a'));
});

test('the profile folder is neither listed nor searched, even inside the workspace', async () => {
  const tools = openTools({ profile: 'ws/deep/profile' });
  tools.put('deep/profile/config.json', 'x');
  tools.put('deep/other.json', 'x');
  expect(await tools.text('glob', { pattern: '**/*.json' })).toBe(`${tools.workspace}/deep/other.json`);
  expect(await tools.text('grep', { pattern: 'x' })).toBe(`${tools.workspace}/deep/other.json`);
  expect(await tools.text('list_directory', { path: 'deep' })).toBe(
    filesIn(`${tools.workspace}/deep`, '- other.json (file)'),
  );
});
