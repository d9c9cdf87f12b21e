import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needOrdinaryUser } from '../../fixtures/machine-needs.ts';
import { stoppedAtFirstProcess } from '../../fixtures/stopped-process.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { accessDenied, directoryNotFound, isRequired } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

const search = (input: unknown) => tools.text('search_code', input);

test('matching lines are shown whole with path and number', async () => {
  tools.put('src/Agent.cs', `${'\n'.repeat(9)}public class MyAgent\r\n`);
  tools.put('src/Agent.csx', 'public class MyAgent');
  expect(await tools.call('search_code', { query: 'class.*Agent', pattern: '*.cs', regex: true })).toEqual({
    text: 'src/Agent.cs:10: public class MyAgent',
    isError: false,
  });
  expect(tools.marks).toEqual([{ kind: 'private', source: 'files in the workspace' }]);
});

test('text is matched literally, case-insensitively by default', async () => {
  tools.put('a', 'a.b\naxb\n\tFOO  \n');
  expect(await search({ query: 'a.b' })).toBe('a:1: a.b');
  expect(await search({ query: 'foo' })).toBe('a:3: \tFOO  ');
  expect(await search({ query: 'foo', case_sensitive: true })).toBe('');
  expect(await search({ query: '--version' })).toBe('');
  expect(await search({ query: "'; touch pwned; '" })).toBe('');
  expect(existsSync(join(tools.workspace, 'pwned'))).toBe(false);
});

test('errors say what is wrong', async () => {
  tools.put('a', 'x');
  expect(await search({ query: '[', regex: true })).toMatch(/^Error searching code: ./);
  expect(await search({ query: 'x', pattern: '*.{js' })).toMatch(/^Error searching code: ./);
  expect(await search({ query: '' })).toBe(isRequired('query', 'Error searching code: '));
  expect(await search({ query: 'x', directory: 'nope' })).toBe(directoryNotFound('nope'));
  expect(await search({ query: 'x', directory: 'a' })).toBe(directoryNotFound('a'));
  expect(await search({ query: 'x', directory: '..' })).toBe(accessDenied('directory', tools.workspace));
  expect(await search({ query: 'x'.repeat(50_000_000) })).toMatch(/^Error searching code: query is too long: /);
  expect(await search({ query: 'a\0b' })).toMatch(/^Error searching code: .*NUL/);
});

test('the pattern is held against base names', async () => {
  for (const path of ['Makefile', 'a.js', 'src/b.ts', 'c.cs', '.hid', '!x', '#y', 'src/js']) tools.put(path, 'hit');
  expect(await search({ query: 'hit' })).toBe(
    '!x:1: hit\n#y:1: hit\n.hid:1: hit\nMakefile:1: hit\na.js:1: hit\nc.cs:1: hit\nsrc/b.ts:1: hit\nsrc/js:1: hit',
  );
  expect(await search({ query: 'hit', pattern: '*.{js,ts}' })).toBe('a.js:1: hit\nsrc/b.ts:1: hit');
  expect(await search({ query: 'hit', pattern: '**/*.ts' })).toBe('src/b.ts:1: hit');
  expect(await search({ query: 'hit', pattern: '!x' })).toBe('!x:1: hit');
  expect(await search({ query: 'hit', pattern: '#y' })).toBe('#y:1: hit');
  expect(await search({ query: 'hit', pattern: 'src' })).toBe('');
  expect(await search({ query: 'hit', recursive: false, pattern: '*s' })).toBe('a.js:1: hit\nc.cs:1: hit');
});

test('hidden and ignored files are searched; .git and the listed kinds are not', async () => {
  tools.put('.gitignore', 'ignored.txt\n');
  tools.put('.ignore', '*\n');
  for (const path of ['.git/config', 'sub/.git/x', 'ignored.txt', '.hidden/f', 'a.PNG', 'b.Pdf', 'c.zip', 'd.jpeg'])
    tools.put(path, 'hit');
  expect(await search({ query: 'hit' })).toBe('.hidden/f:1: hit\nignored.txt:1: hit');
});

test('links to files inside are searched, links to folders and to the outside are not', async () => {
  tools.put('src/a.ts', 'hit');
  tools.put('../outside/secret.ts', 'hit');
  tools.put('../profile/config.json', 'hit');
  symlinkSync('a.ts', join(tools.workspace, 'src/link.ts'));
  symlinkSync('src/a.ts', join(tools.workspace, 'link.png'));
  symlinkSync('src', join(tools.workspace, 'folder'));
  symlinkSync('..', join(tools.workspace, 'src/loop'));
  symlinkSync(join(tools.base, 'outside/secret.ts'), join(tools.workspace, 'leak.ts'));
  symlinkSync(join(tools.base, 'profile/config.json'), join(tools.workspace, 'profile.json'));
  symlinkSync('gone', join(tools.workspace, 'dangling'));
  expect(await search({ query: 'hit' })).toBe('src/a.ts:1: hit\nsrc/link.ts:1: hit');
  expect(await search({ query: 'hit', pattern: 'link*' })).toBe('src/link.ts:1: hit');
  expect(await search({ query: 'hit', directory: 'folder' })).toBe('folder/a.ts:1: hit\nfolder/link.ts:1: hit');
});

test('the profile folder is neither searched nor listed, even inside the workspace', async () => {
  await tools.dispose();
  tools = new ToolHarness({ consent: allowAll, profile: 'ws/deep/pro[f]ile' });
  tools.put('deep/pro[f]ile/config.json', 'hit');
  tools.put('deep/prof/other', 'hit');
  expect(await search({ query: 'hit' })).toBe('deep/prof/other:1: hit');
  expect(await search({ query: 'hit', directory: 'deep' })).toBe('deep/prof/other:1: hit');
  expect(await tools.text('list_files', { recursive: true })).toBe('deep/prof/other');
  expect(await search({ query: 'hit', directory: 'deep/pro[f]ile' })).toBe(accessDenied('directory', tools.workspace));
});

test('odd files do not spoil the answer', async () => {
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  tools.put('binary', 'hit\0hit\n');
  tools.put('late-binary', `hit early\n${'x'.repeat(99)}\n${`${'y'.repeat(99)}\n`.repeat(2000)}\0\nhit late\n`);
  // The file is so short that ripgrep finds the NUL before the text that precedes it.
  tools.put('late', `hit early\n${`${'y'.repeat(99)}\n`.repeat(90)}\0\nhit late\n`);
  tools.put('invalid', Buffer.concat([Buffer.from('hit '), Buffer.from([0xff, 0x0a])]));
  tools.put('utf16', Buffer.from('\ufeffhit ä\r\n', 'utf16le'));
  tools.put('z/new\nline', 'hit\n');
  tools.put('zz', 'a\0b: hit');
  expect(await search({ query: 'hit' })).toBe(
    'invalid:1: hit \ufffd\nlate:1: hit early\nlate:93: hit late\nlate-binary:1: hit early\nlate-binary:2004: hit late\nutf16:1: hit ä\n"z/new\\nline":1: hit',
  );
  expect(tools.cards.at(-1)).toMatchObject({ notText: ['binary', 'zz'] });
  expect(await tools.text('list_files', { recursive: true })).toContain('\n"z/new\\nline"\n');
});

test('unreadable files are skipped, and unreadable folders are named', async (context) => {
  const ordinaryUser = needOrdinaryUser(context);
  chmodSync(tools.put('closed/a', 'hit'), 0);
  tools.put('open', 'hit');
  const unlisted = dirname(tools.put('unlisted/b', 'hit'));
  chmodSync(unlisted, 0o311);
  await asUser(ordinaryUser, async () => {
    expect(await search({ query: 'hit' })).toBe('open:1: hit');
    expect(await search({ query: 'hit', directory: 'unlisted' })).toBe(
      'Error searching code: EACCES: permission denied: unlisted',
    );
  });
  chmodSync(unlisted, 0o755);
});

/** Root may read everything. */
async function asUser({ uid }: { readonly uid?: number }, work: () => Promise<void>): Promise<void> {
  if (uid === undefined) return work();
  chmodSync(tools.base, 0o755);
  process.seteuid?.(uid);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

test('regular expressions may look around, end before \\r\\n, and span lines', async () => {
  tools.put('a', 'foobar\r\nbar\r\n\r\nbarfoo\r\n');
  expect(await search({ query: '(?<=foo)bar$', regex: true })).toBe('a:1: foobar');
  expect(await search({ query: '^bar$', regex: true })).toBe('a:2: bar');
  expect(await search({ query: 'foobar\nbar' })).toBe('a:1: foobar\na:2: bar');
  expect(await search({ query: 'r\\r?\\n\\r?\\nb', regex: true })).toBe('a:2: bar\na:3: \na:4: barfoo');
  expect(await search({ query: '-bar', regex: true })).toBe('');
});

test('an output that is too large is stopped with a notice', async () => {
  for (let file = 0; file < 6; file++) tools.put(`f${file}`, `${'hit '.repeat(250)}\n`.repeat(2500));
  const text = await search({ query: 'hit' });
  expect(text.length).toBeLessThan(11 * 1024 * 1024);
  expect(text).toMatch(/\n\[More was found than can be shown: .*\]$/);
});

test('a stopped search ends at once', async () => {
  tools.put('a', 'x');
  const result = await tools.call('search_code', { query: 'x' }, stoppedAtFirstProcess());
  expect(result).toEqual({ text: 'Error searching code: stopped by the user', isError: true, outcome: 'stopped' });
});

test('any text that is in a file is found, whatever characters it is made of', async () => {
  mkdirSync(join(tools.workspace, 'p'));
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      '.',
      '*',
      '\\',
      '[',
      '(',
      '-',
      '{',
      '^',
      '$',
      ' ',
      "'",
      '"',
      'é',
      '😀',
      '#',
      '!',
      '%',
    ),
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(text, async (query) => {
      tools.put('p/f', `before\n${query}\nafter\n`);
      const lines = (await search({ query, directory: 'p', case_sensitive: true })).split('\n');
      expect(lines).toContain(`p/f:2: ${query}`);
    }),
    { numRuns: 40 },
  );
});
