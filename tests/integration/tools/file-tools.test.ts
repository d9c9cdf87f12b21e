import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccessDenied } from '../../../src-main/policy/roots.ts';
import { ToolFailure } from '../../../src-main/tools/contract.ts';
import { openTools } from '../../fixtures/open-tools.ts';
import {
  accessDenied,
  appended,
  couldNotFind,
  directoryDoesNotExist,
  directoryNotFound,
  isDirectory,
  isRequired,
  noFileToAppendTo,
} from '../../fixtures/tool-texts.ts';

test('read_file returns the text exactly as stored', async () => {
  const tools = openTools();
  tools.put('src/Program.cs', 'a\r\n\tb\n\nc');
  tools.put('empty', '');
  expect(await tools.call('read_file', { file_path: 'src/Program.cs' })).toEqual({
    text: 'a\r\n\tb\n\nc',
    isError: false,
  });
  expect(await tools.text('read_file', { path: join(tools.workspace, 'src/Program.cs') })).toBe('a\r\n\tb\n\nc');
  expect(await tools.text('read_file', { path: 'missing/../src/./Program.cs' })).toBe('a\r\n\tb\n\nc');
  expect(await tools.text('read_file', { path: 'empty' })).toBe('');
  expect(tools.marks[0]).toEqual({ kind: 'private', source: 'file src/Program.cs' });
});

test('read_file says what is wrong in the words of the catalogue', async () => {
  const tools = openTools();
  tools.put('src/a', '');
  expect(await tools.text('read_file', { file_path: 'nope.cs' })).toBe(couldNotFind('nope.cs'));
  expect(await tools.text('read_file', { file_path: 'src/a/b' })).toBe(couldNotFind('src/a/b'));
  expect(await tools.text('read_file', { file_path: 'src' })).toBe(isDirectory('Error reading file: '));
  expect(await tools.text('read_file', { file_path: '../../../etc/passwd' })).toBe(
    accessDenied('file', tools.workspace),
  );
  // That there is none is known of the roots, too.
  expect(tools.marks.map(({ source }) => source)).toEqual([
    'whether nope.cs exists',
    'whether src/a/b exists',
    'file src',
  ]);
  expect(await tools.text('read_file', { file_path: 'a\0b' })).toMatch(/^Error reading file: .*NUL/);
});

test('read_file takes a slice of whole lines with their line ends', async () => {
  const tools = openTools();
  tools.put('f', '1\r\n2\n3\n4');
  const slice = (offset: unknown, limit: unknown) => tools.text('read_file', { file_path: 'f', offset, limit });
  expect(await slice(1, 1)).toBe('1\r\n');
  expect(await slice(2, 2)).toBe('2\n3\n');
  expect(await slice(4, -1)).toBe('4');
  expect(await slice('3', undefined)).toBe('3\n4');
  expect(await slice(5, 10)).toBe('');
  expect(await slice(1_000_000, -1)).toBe('');
  expect(await slice(-3, 1)).toBe('1\r\n');
  expect(await slice(1, 0)).toBe('');
});

test('two slices that follow each other are the whole text, in every encoding', async () => {
  const tools = openTools();
  const encodings = {
    'utf-8': (text: string) => Buffer.from(text),
    'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  };
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', ' ') }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
      async (parts, cut, encoding) => {
        const text = parts.join('\n');
        tools.put('f', encodings[encoding](text));
        const head = await tools.text('read_file', { path: 'f', limit: cut });
        const tail = await tools.text('read_file', { path: 'f', offset: cut + 1 });
        expect(head + tail).toBe(text);
      },
    ),
    { numRuns: 60 },
  );
});

test('the byte order mark decides the encoding and is not part of the text; invalid bytes are replaced', async () => {
  const tools = openTools();
  tools.put('utf8', Buffer.from('\ufeffä'));
  tools.put('le', Buffer.from('\ufeffä😀', 'utf16le'));
  tools.put('be', Buffer.from('\ufeffä😀', 'utf16le').swap16());
  tools.put('bad', Buffer.from([0x61, 0xff, 0xfe, 0x62]));
  expect(await tools.text('read_file', { path: 'utf8' })).toBe('ä');
  expect(await tools.text('read_file', { path: 'le' })).toBe('ä😀');
  expect(await tools.text('read_file', { path: 'be' })).toBe('ä😀');
  expect(await tools.text('read_file', { path: 'bad' })).toBe('aÿþb');
});

test('a file above the workspace is found up to the root of the repository, and asks first', async () => {
  const tools = openTools({ workspace: 'repo/pkg/deep' });
  mkdirSync(join(tools.base, 'repo/.git'));
  tools.put('../../README.md', 'the readme');
  expect(await tools.text('read_file', { file_path: 'README.md' })).toBe('the readme');
  const { access } = await tools.effectsOf('read_file', { file_path: 'README.md' });
  expect(access).toEqual([
    { class: 'read', kind: 'file', path: join(tools.base, 'repo/README.md'), outsideRoots: true },
  ]);
  tools.put('README.md', 'nearer');
  expect(await tools.text('read_file', { file_path: 'README.md' })).toBe('nearer');
  expect((await tools.effectsOf('read_file', { file_path: 'README.md' })).access).toEqual([
    { class: 'read', kind: 'file', path: join(tools.workspace, 'README.md'), outsideRoots: false },
  ]);
});

test('parent folders are not searched when that is switched off', async () => {
  const tools = openTools({ workspace: 'repo/pkg', readWalkUp: false });
  mkdirSync(join(tools.base, 'repo/.git'));
  tools.put('../README.md', 'the readme');
  expect(await tools.text('read_file', { file_path: 'README.md' })).toBe(couldNotFind('README.md'));
});

test('a file that is nowhere else is read from the working directory of config.json, if that is a root', async () => {
  const granted = openTools({ workspace: 'other', folders: ['usual'], workingDirectory: 'usual' });
  granted.put('../usual/docs/plan.md', 'the plan');
  expect(await granted.text('read_file', { file_path: 'docs/plan.md' })).toBe('the plan');
  expect((await granted.effectsOf('read_file', { file_path: 'docs/plan.md' })).access).toEqual([
    { class: 'read', kind: 'file', path: join(granted.base, 'usual/docs/plan.md'), outsideRoots: false },
  ]);
  granted.put('docs/plan.md', 'nearer');
  expect(await granted.text('read_file', { file_path: 'docs/plan.md' })).toBe('nearer');
  // Only reading looks there, only by a plain relative path, and never through a link that leads out.
  granted.put('../usual/only-there.md', 'x');
  expect(await granted.text('edit', { file_path: 'only-there.md', old_string: 'x', new_string: 'y' })).toMatch(
    /not found/,
  );
  expect(await granted.text('read_file', { file_path: 'docs/../only-there.md' })).toBe(
    couldNotFind('docs/../only-there.md'),
  );
  granted.put('../secret.md', 'secret');
  symlinkSync(join(granted.base, 'secret.md'), join(granted.base, 'usual/link.md'));
  expect(await granted.text('read_file', { file_path: 'link.md' })).toBe(couldNotFind('link.md'));

  const notGranted = openTools({ workspace: 'other', workingDirectory: 'usual' });
  notGranted.put('../usual/plan.md', 'the plan');
  expect(await notGranted.text('read_file', { file_path: 'plan.md' })).toBe(couldNotFind('plan.md'));
});

test('pipes, devices and sockets are refused at once', async () => {
  const tools = openTools();
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  expect(await tools.text('read_file', { path: 'pipe' })).toBe('Error reading file: path is a named pipe, not a file');
  expect(await tools.text('write_file', { path: 'pipe', content: 'x' })).toBe(
    'Error writing file: path is a named pipe, not a file',
  );
  expect(await tools.text('append_file', { path: 'pipe', content: 'x' })).toBe(
    'Error appending to file: path is a named pipe, not a file',
  );
  expect(lstatSync(join(tools.workspace, 'pipe')).isFIFO()).toBe(true);
});

test('of a file that is too large a part can be read', async () => {
  const tools = openTools();
  const path = tools.put('huge', 'first\nsecond\n');
  truncateSync(path, 200 * 1024 * 1024);
  expect(await tools.text('read_file', { path: 'huge' })).toMatch(
    /^Error reading file: the file has 209,715,200 bytes, .*offset and limit/,
  );
  expect(await tools.text('read_file', { path: 'huge', offset: 2, limit: 1 })).toBe('second\n');
});

test('write_file makes a file with its folders, byte for byte', async () => {
  const tools = openTools();
  expect(await tools.call('write_file', { file_path: 'src/sub/New.cs', content: 'é\r\n' })).toEqual({
    text: 'OK',
    isError: false,
  });
  expect(readFileSync(join(tools.workspace, 'src/sub/New.cs'))).toEqual(Buffer.from('é\r\n'));
  expect(await tools.text('write_file', { path: 'e.txt', content: '' })).toBe('OK');
  expect(statSync(join(tools.workspace, 'e.txt')).size).toBe(0);
});

test('write_file reports errors and changes nothing', async () => {
  const tools = openTools();
  tools.put('src/a', 'old');
  expect(await tools.text('write_file', { file_path: 'x/y.txt', content: 'a', create_directories: false })).toBe(
    directoryDoesNotExist(join(tools.workspace, 'x')),
  );
  expect(await tools.text('write_file', { file_path: 'src', content: 'a' })).toMatch(/^Error writing file: /);
  expect(await tools.text('write_file', { file_path: 'src/', content: 'a' })).toMatch(/^Error writing file: /);
  expect(await tools.text('write_file', { file_path: 'src/a/b', content: 'a' })).toMatch(/^Error writing file: /);
  expect(await tools.text('write_file', { file_path: 'n'.repeat(300), content: 'a' })).toMatch(/^Error writing file: /);
  expect(await tools.text('write_file', { file_path: 'new.txt' })).toBe(isRequired('content', 'Error writing file: '));
  expect(await tools.text('list_files', { recursive: true })).toBe('src/a');
  expect(readFileSync(join(tools.workspace, 'src/a'), 'utf8')).toBe('old');
});

test('write_file keeps mode bits and symlinks', async () => {
  const tools = openTools();
  const target = tools.put('real.sh', 'old');
  chmodSync(target, 0o751);
  symlinkSync('real.sh', join(tools.workspace, 'link.sh'));
  expect(await tools.text('write_file', { path: 'link.sh', content: 'new' })).toBe('OK');
  expect(readlinkSync(join(tools.workspace, 'link.sh'))).toBe('real.sh');
  expect(readFileSync(target, 'utf8')).toBe('new');
  expect(statSync(target).mode & 0o7777).toBe(0o751);
  expect(readdirSync(tools.workspace).sort()).toEqual(['link.sh', 'real.sh']);
});

test('append_file adds to an existing file in its own encoding', async () => {
  const tools = openTools();
  const path = tools.put('f.txt', 'a\n');
  expect(await tools.call('append_file', { path: 'f.txt', content: 'b' })).toEqual({
    text: appended('f.txt'),
    isError: false,
  });
  expect(readFileSync(path, 'utf8')).toBe('a\nb');
  for (const [name, swap] of [
    ['le', false],
    ['be', true],
  ] as const) {
    const encoded = (text: string) => (swap ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
    const file = tools.put(name, encoded('\ufeffä'));
    await tools.text('append_file', { file_path: name, content: '😀' });
    expect(readFileSync(file)).toEqual(encoded('\ufeffä😀'));
  }
});

test('append_file makes no file', async () => {
  const tools = openTools();
  expect(await tools.call('append_file', { path: 'f.txt', content: 'b' })).toEqual({
    text: noFileToAppendTo('f.txt'),
    isError: true,
  });
  expect(await tools.text('append_file', { path: 'f.txt' })).toBe(isRequired('content', 'Error appending to file: '));
  expect(existsSync(join(tools.workspace, 'f.txt'))).toBe(false);
});

test('list_files gives files only, relative to the workspace, in the order of their code units', async () => {
  const tools = openTools({ folders: ['other'] });
  for (const path of ['b.txt', 'B.txt', 'src/program.cs', 'src/utils/helper.cs', '.git/config', 'src-x/a'])
    tools.put(path, '');
  mkdirSync(join(tools.workspace, 'empty'));
  symlinkSync('../b.txt', join(tools.workspace, 'src/link.txt'));
  symlinkSync('src', join(tools.workspace, 'folder-link'));
  symlinkSync('nowhere', join(tools.workspace, 'dangling'));
  tools.put('../other/o.txt', '');
  const list = (input: unknown) => tools.text('list_files', input);
  expect(await list({})).toBe('B.txt\nb.txt');
  expect(await list({ directory: 'src', recursive: true })).toBe('src/link.txt\nsrc/program.cs\nsrc/utils/helper.cs');
  expect(await list({ recursive: true })).toBe(
    '.git/config\nB.txt\nb.txt\nsrc-x/a\nsrc/link.txt\nsrc/program.cs\nsrc/utils/helper.cs',
  );
  expect(await list({ directory: 'empty' })).toBe('');
  expect(await list({ directory: 'folder-link' })).toBe('folder-link/link.txt\nfolder-link/program.cs');
  expect(await list({ directory: join(tools.base, 'other') })).toBe('../other/o.txt');
  expect(await list({ directory: 'nope' })).toBe(directoryNotFound('nope'));
  expect(await list({ directory: 'b.txt' })).toBe(directoryNotFound('b.txt'));
  expect(await list({ directory: '../x' })).toBe(accessDenied('directory', tools.workspace));
});

test('a preview shows the change, bound to the current file', async () => {
  const tools = openTools();
  const path = tools.put('f.txt', 'old\n');
  const write = { file_path: 'f.txt', content: 'new\n' };
  const first = await tools.effectsOf('write_file', write);
  expect(first).toMatchObject({
    access: [{ class: 'write', kind: 'file', path, outsideRoots: false }],
    previews: [{ kind: 'diff', path, before: 'old\n', after: 'new\n' }],
  });
  expect((await tools.effectsOf('write_file', write)).beforeImage).toBe(first.beforeImage);
  tools.put('f.txt', 'changed\n');
  expect((await tools.effectsOf('write_file', write)).beforeImage).not.toBe(first.beforeImage);
  expect((await tools.effectsOf('append_file', { path: 'f.txt', content: 'x' })).previews).toMatchObject([
    { before: 'changed\n', after: 'changed\nx' },
  ]);
  expect((await tools.effectsOf('write_file', { path: 'new', content: 'x' })).previews).toEqual([
    { kind: 'diff', path: join(tools.workspace, 'new'), before: null, after: 'x' },
  ]);
  tools.put('bin', Buffer.from([1, 0, 2]));
  expect((await tools.effectsOf('write_file', { path: 'bin', content: 'x' })).previews).toMatchObject([
    { before: null, after: 'x', note: expect.stringContaining('(3 bytes)') },
  ]);
  tools.put('big', 'x'.repeat(2 * 1024 * 1024));
  expect((await tools.effectsOf('append_file', { path: 'big', content: 'x' })).previews).toMatchObject([
    { before: null, after: 'x', note: 'The file has 2,097,152 bytes: not compared.' },
  ]);
});

test('a call that cannot succeed is refused before anyone is asked', async () => {
  const tools = openTools();
  await expect(tools.effectsOf('write_file', { path: '../x', content: '' })).rejects.toBeInstanceOf(AccessDenied);
  await expect(tools.effectsOf('append_file', { path: 'x', content: 'y' })).rejects.toEqual(
    new ToolFailure(noFileToAppendTo('x')),
  );
  await expect(tools.effectsOf('write_file', { path: '.', content: 'y' })).rejects.toBeInstanceOf(ToolFailure);
});
