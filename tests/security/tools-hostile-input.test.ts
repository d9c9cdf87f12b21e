import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { accessDenied, appended } from '../fixtures/tool-texts.ts';
import { everythingBut } from './canary.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll, workspace: 'proj' });
  tools.put('../proj-evil/secret.txt', 'sibling secret');
  tools.put('../outside/secret.txt', 'outside secret');
  tools.put('../profile/config.json', '{"secret":"profile secret"}');
  tools.put('inside.txt', 'inside');
  mkdirSync(join(tools.workspace, 'sub'));
  symlinkSync('../outside', join(tools.workspace, 'link'));
  symlinkSync('../outside/secret.txt', join(tools.workspace, 'file-link'));
  symlinkSync('../outside/new.txt', join(tools.workspace, 'dangling'));
  symlinkSync('loop', join(tools.workspace, 'loop'));
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
});
afterEach(() => tools.dispose());

const outside = () => everythingBut(tools.base, 'proj');

const FILE_TOOLS = [
  'read_file',
  'write_file',
  'append_file',
  'edit',
  'list_files',
  'list_directory',
  'glob',
  'grep',
  'search_code',
];

const hostilePath = fc.oneof(
  fc.constantFrom(
    '../../../etc/passwd',
    '/tmp/malicious',
    '/etc/passwd',
    '../proj-evil/secret.txt',
    '../outside/secret.txt',
    'link/secret.txt',
    'link/evil.txt',
    'link/../proj-evil/secret.txt',
    'file-link',
    'dangling',
    'loop',
    'loop/x',
    'pipe',
    'sub/../../outside/secret.txt',
    'inside.txt/../../outside/new',
    '../profile/config.json',
    'a\0b',
    '..',
    '.',
    '/',
    '~/x',
    '\\\\server\\share',
    'C:\\Windows\\System32',
    `${'../'.repeat(400)}etc/passwd`,
    'x'.repeat(5000),
    'deep/'.repeat(3000),
    '\ud800',
    '-rf',
    '$HOME',
    'sub\n../x',
  ),
  fc
    .array(fc.constantFrom('..', '.', 'link', 'sub', 'loop', 'outside', 'proj-evil', 'secret.txt', '', ' ', 'new'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('/')),
);

test('whatever path a file tool is given, nothing outside is read, listed or changed', async () => {
  const before = outside();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FILE_TOOLS), hostilePath, async (name, path) => {
      const input = {
        file_path: path,
        path,
        directory: path,
        content: 'evil',
        query: 'secret',
        recursive: true,
        old_string: 'secret',
        new_string: 'evil',
        output_mode: 'content',
        pattern: name === 'glob' ? path : 'secret',
      };
      const { text } = await tools.call(name, input);
      expect(text).not.toMatch(/(?:sibling|outside|profile) secret|root:x:/);
      expect(outside()).toBe(before);
    }),
    { numRuns: 300 },
  );
});

test('the catalogue’s blocked paths are denied before anyone looks whether they exist', async () => {
  const file = accessDenied('file', tools.workspace);
  for (const path of [
    '../../../etc/passwd',
    '/tmp/malicious',
    '../proj-evil/secret.txt',
    'link/evil.txt',
    'dangling',
    '../profile/config.json',
    '../nowhere/x',
  ]) {
    expect(await tools.text('read_file', { file_path: path })).toBe(file);
    expect(await tools.text('write_file', { file_path: path, content: 'x' })).toBe(file);
    expect(await tools.text('append_file', { path, content: 'x' })).toBe(file);
    expect(await tools.text('edit', { path, old_string: 'secret', new_string: 'x' })).toBe(file);
  }
  const directory = accessDenied('directory', tools.workspace);
  for (const path of ['..', '../proj-evil', 'link', '/etc', '../profile', '../nowhere']) {
    expect(await tools.text('list_files', { directory: path })).toBe(directory);
    expect(await tools.text('search_code', { query: 'x', directory: path })).toBe(directory);
    expect(await tools.text('grep', { pattern: 'x', path })).toBe(directory);
    expect(await tools.text('glob', { pattern: '*', path })).toBe(directory);
    expect(await tools.text('list_directory', { path })).toBe(directory);
  }
});

test('a link that is put in the way between question and write leads nowhere', async () => {
  for (let round = 0; round < 30; round++) {
    const folder = join(tools.workspace, `race${round}`);
    mkdirSync(folder);
    const write = tools.call('write_file', { path: `race${round}/f.txt`, content: 'evil' });
    // At the same moment, another process makes the folder a link to the outside.
    await new Promise((done) => setImmediate(done));
    execFileSync('sh', ['-c', `rm -rf '${folder}' && ln -s ../outside '${folder}'`]);
    await write;
    expect(readdirSync(join(tools.base, 'outside'))).toEqual(['secret.txt']);
  }
});

test.each<[string, Record<string, unknown>]>([
  ['read_file', { path: 'notes/secret.txt' }],
  ['write_file', { path: 'notes/secret.txt', content: 'evil' }],
  ['write_file', { path: 'notes/new.txt', content: 'evil' }],
  ['append_file', { path: 'notes/secret.txt', content: 'evil' }],
  ['edit', { path: 'notes/secret.txt', old_string: 'secret', new_string: 'evil' }],
  ['list_files', { directory: 'notes' }],
  ['list_directory', { path: 'notes' }],
  ['glob', { pattern: '*', path: 'notes' }],
  ['grep', { pattern: 'secret', path: 'notes', output_mode: 'content' }],
  ['search_code', { query: 'secret', directory: 'notes' }],
  ['execute_command', { command: 'cat * && touch made', working_dir: 'notes' }],
])('%s with %j does nothing where the path leads outside by the time it is allowed', async (name, input) => {
  tools.put('notes/secret.txt', 'inside secret');
  const before = outside();
  const execute = await tools.allowed(name, input);
  execFileSync('sh', ['-c', `mv notes aside && ln -s ../outside notes`], { cwd: tools.workspace });
  const { text, isError } = await execute();
  expect([isError, text]).toEqual([true, expect.stringMatching(/^Error/)]);
  expect(outside()).toBe(before);
  expect(readFileSync(join(tools.workspace, 'aside/secret.txt'), 'utf8')).toBe('inside secret');
});

test('nonsensical commands always return a text', async () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('\0', '"', "'", '$(', '(', 'x'.repeat(3_000_000), '-', '\ud800', '\n\n', 'nosuch', './', '/', '.'),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('bash', 'run_command'), odd, odd, async (name, command, extra) => {
      // The text is one that no shell can take for a command that does something.
      const harmless = typeof command === 'string' ? `: ${command.replace(/[^\0"'$(\ud800xno\n-]/g, '')}` : command;
      const { text } = await tools.call(name, {
        command: harmless,
        arguments: extra,
        timeout: extra,
        timeout_seconds: extra,
      });
      expect(typeof text).toBe('string');
    }),
    { numRuns: 60 },
  );
});

test('texts of 50 MB pass through unchanged', async () => {
  const content = 'é'.repeat(25 * 1024 * 1024);
  expect(await tools.text('write_file', { path: 'big.txt', content })).toBe('OK');
  expect(lstatSync(join(tools.workspace, 'big.txt')).size).toBe(50 * 1024 * 1024);
  expect(await tools.text('append_file', { path: 'big.txt', content: 'x' })).toBe(appended('big.txt'));
  expect((await tools.text('read_file', { path: 'big.txt' })).length).toBe(content.length + 1);
  const path = 'x'.repeat(50 * 1024 * 1024);
  for (const name of FILE_TOOLS)
    expect(await tools.text(name, { file_path: path, path, directory: path, content: 'x', query: 'x' })).toMatch(
      /^Error/,
    );
});
