import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Preview } from '../../../src-main/policy/access.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { AccessDenied } from '../../../src-main/policy/roots.ts';
import { ToolFailure } from '../../../src-main/tools/contract.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  accessDenied,
  fileNotFound,
  isDirectory,
  isRequired,
  leftUnchanged,
  replaced,
  stringNotFound,
} from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

const edit = (input: unknown) => tools.text('edit', input);
const content = (path: string) => readFileSync(join(tools.workspace, path), 'utf8');

test('one or all occurrences are replaced, and the remaining ones are reported', async () => {
  tools.put('f', 'a a');
  expect(await tools.call('edit', { file_path: 'f', old_string: 'a', new_string: 'b' })).toEqual({
    text: `${replaced(1)}\n${leftUnchanged(1)}`,
    isError: false,
  });
  expect(content('f')).toBe('b a');
  tools.put('f', 'a a');
  expect(await tools.text('edit_file', { path: 'f', old_string: 'a', new_string: 'b', replace_all: true })).toBe(
    replaced(2),
  );
  expect(content('f')).toBe('b b');
  expect(await edit({ path: 'f', old_string: ' b', new_string: '' })).toBe(replaced(1));
  expect(content('f')).toBe('b');
});

test('the replacement is literal', async () => {
  tools.put('f', 'x');
  expect(await edit({ path: 'f', old_string: 'x', new_string: '$&' })).toBe(replaced(1));
  expect(content('f')).toBe('$&');
});

test('errors are those of the catalogue, come before anyone is asked, and change nothing', async () => {
  const path = tools.put('f', 'text');
  const before = new Date('2020-01-01T00:00:00Z');
  utimesSync(path, before, before);
  const call = { file_path: 'f', old_string: 'none', new_string: 'x' };
  for (const replace_all of [false, true]) {
    expect(await tools.call('edit', { ...call, replace_all })).toEqual({
      text: stringNotFound,
      isError: true,
    });
  }
  expect(statSync(path).mtime).toEqual(before);
  await expect(tools.effectsOf('edit', call)).rejects.toEqual(new ToolFailure(stringNotFound));
  await expect(tools.effectsOf('edit', { ...call, file_path: '../x' })).rejects.toBeInstanceOf(AccessDenied);
  expect(await edit({ ...call, file_path: 'nope' })).toBe(fileNotFound('nope'));
  expect(await edit({ ...call, old_string: '' })).toBe(isRequired('old_string'));
  expect(await edit({ file_path: 'f', old_string: 'a' })).toBe(isRequired('new_string'));
  expect(await edit({ ...call, file_path: '../x' })).toBe(accessDenied('file', tools.workspace));
  expect(await edit({ ...call, file_path: '.' })).toBe(isDirectory());
});

test('byte order mark, encoding, line ends, invalid bytes, mode bits and links stay', async () => {
  const invalid = Buffer.concat([Buffer.from('\ufeffa\r\nb'), Buffer.from([0xff, 0x0d, 0x0a])]);
  const path = tools.put('real', invalid);
  chmodSync(path, 0o640);
  symlinkSync('real', join(tools.workspace, 'link'));
  expect(await edit({ path: 'link', old_string: 'a\nb', new_string: 'x\ny\nz' })).toBe(replaced(1));
  expect(readFileSync(path)).toEqual(
    Buffer.concat([Buffer.from('\ufeffx\r\ny\r\nz'), Buffer.from([0xff, 0x0d, 0x0a])]),
  );
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readlinkSync(join(tools.workspace, 'link'))).toBe('real');
  tools.put('wide', Buffer.from('\ufeffhällo\n', 'utf16le').swap16());
  expect(await edit({ path: 'wide', old_string: 'ä', new_string: '😀' })).toBe(replaced(1));
  expect(readFileSync(join(tools.workspace, 'wide'))).toEqual(Buffer.from('\ufeffh😀llo\n', 'utf16le').swap16());
  expect(readdirSync(tools.workspace).sort()).toEqual(['link', 'real', 'wide']);
});

test('the preview shows the change, bound to the current file', async () => {
  const path = tools.put('f', '\ufeffone\ntwo\n');
  const call = { file_path: 'f', old_string: 'two', new_string: '2' };
  const first = await tools.effectsOf('edit', call);
  expect(first).toMatchObject({
    access: [{ class: 'write', kind: 'file', path, outsideRoots: false }],
    previews: [{ kind: 'diff', path, before: 'one\ntwo\n', after: 'one\n2\n' }],
  });
  tools.put('f', 'two\n');
  expect((await tools.effectsOf('edit', call)).beforeImage).not.toBe(first.beforeImage);
  tools.put('f', `${'x'.repeat(1024 * 1024)}two`);
  expect((await tools.effectsOf('edit', call)).previews).toEqual([
    {
      kind: 'diff',
      path,
      before: 'two',
      after: '2',
      note: 'The file has 1,048,579 bytes: only what is replaced is shown, which is 1 place(s).',
    },
  ]);
});

test('a file that someone else changes meanwhile is not overwritten', async () => {
  const path = tools.put('f', 'old');
  const beforeImages = forgottenImages({
    // Called between reading and writing.
    add: () => {
      tools.put('f', 'old, and more');
      return { num: 1, dropped: [] };
    },
  });
  expect(await tools.text('edit', { path: 'f', old_string: 'old', new_string: 'new' }, { beforeImages })).toBe(
    'Error: the file was changed by someone else in the meantime; nothing was written',
  );
  expect(readFileSync(path, 'utf8')).toBe('old, and more');
});

/** Another program, which is done when this returns. */
function writtenByOther(path: string, text: string): void {
  const code = 'require("node:fs").writeFileSync(process.argv[1], process.argv[2])';
  execFileSync(process.execPath, ['-e', code, path, text]);
}

describe.each([
  ['write_file', { file_path: 'f', content: 'new' }, 'new'],
  ['append_file', { path: 'f', content: ', new' }, 'old, new'],
] as const)('%s of what another program writes', (name, input, made) => {
  test('between approval and call, it is not overwritten', async () => {
    const path = tools.put('f', 'old');
    const undisturbed = await tools.allowed(name, input);
    expect(await undisturbed()).toMatchObject({ isError: false });
    expect(readFileSync(path, 'utf8')).toBe(made);

    tools.put('f', 'old');
    const execute = await tools.allowed(name, input);
    writtenByOther(path, 'of the other');
    expect(await execute()).toMatchObject({ isError: true, text: expect.stringContaining('changed by someone else') });
    expect(readFileSync(path, 'utf8')).toBe('of the other');
    expect(readdirSync(tools.workspace)).toEqual(['f']);
  });

  test('while the call is running, it is not overwritten', async () => {
    const path = tools.put('f', 'old');
    const beforeImages = forgottenImages({
      add: () => {
        writtenByOther(path, 'of the other');
        return { num: 1, dropped: [] };
      },
    });
    expect((await tools.call(name, input, { beforeImages })).isError).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('of the other');
  });
});

test('a new file that another program makes first is not replaced', async () => {
  const execute = await tools.allowed('write_file', { file_path: 'fresh', content: 'new' });
  const path = join(tools.workspace, 'fresh');
  writtenByOther(path, 'of the other');
  expect(await execute()).toMatchObject({ isError: true });
  expect(readFileSync(path, 'utf8')).toBe('of the other');
});

test('a change of a file is a card with its diff', async () => {
  tools.put('f', '1\n2\n3\n4\n5\n6\n7\n8\n9');
  await edit({ path: 'f', old_string: '5', new_string: 'five\n5½' });
  await tools.text('write_file', { path: 'new/g', content: 'a\nb' });
  await tools.text('append_file', { path: 'new/g', content: '\nc' });
  await tools.text('write_file', { path: 'new/g', content: 'a\nb\nc' });
  expect(tools.cards).toEqual([
    {
      kind: 'diff',
      path: 'f',
      isNew: false,
      added: 2,
      removed: 1,
      patch: '@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5½\n 6\n 7\n 8',
    },
    { kind: 'diff', path: 'new/g', isNew: true, added: 2, removed: 0, patch: '@@ -0,0 +1,2 @@\n+a\n+b' },
    { kind: 'diff', path: 'new/g', isNew: false, added: 2, removed: 1, patch: '@@ -1,2 +1,3 @@\n a\n-b\n+b\n+c' },
    { kind: 'diff', path: 'new/g', isNew: false, added: 0, removed: 0, patch: '' },
  ]);
});

test('a long card is cut, and says so', async () => {
  await tools.text('write_file', { path: 'long', content: 'line of text\n'.repeat(10_000) });
  await tools.text('write_file', { path: 'bin', content: 'x' });
  tools.put('bin', Buffer.from([0, 1]));
  await tools.text('write_file', { path: 'bin', content: 'x' });
  const [long, , binary] = tools.cards;
  if (long?.kind !== 'diff') throw new Error('no diff');
  expect(long).toMatchObject({ isNew: true, added: 10_000, note: expect.stringMatching(/140,019 characters/) });
  expect(long.patch.length).toBeLessThanOrEqual(60_000);
  expect(long.patch.split('\n').at(-1)).toBe('+line of text');
  expect(binary).toEqual({
    kind: 'diff',
    path: 'bin',
    isNew: false,
    added: 0,
    removed: 0,
    patch: '',
    note: 'The file is not text (2 bytes): not compared.',
  });
});

test('the card shows what was allowed, without reading the file again', async () => {
  const asked: Preview[] = [];
  const consent: ConsentPort = {
    ask: async (request, signal) => {
      if (request.kind === 'tool') asked.push(...request.previews);
      return allowAll.ask(request, signal);
    },
  };
  const shown = new ToolHarness({ consent });
  onTestFinished(() => shown.dispose());
  shown.put('f', 'old');
  const comparing = vi.spyOn(DiffPreview.prototype, 'hunks');
  onTestFinished(() => comparing.mockRestore());
  await shown.text('write_file', { file_path: 'f', content: 'new' });
  expect(shown.cards).toMatchObject([{ patch: '@@ -1,1 +1,1 @@\n-old\n+new' }]);
  // Drawn of the very change that was in the question.
  expect(asked).toHaveLength(1);
  expect(comparing.mock.contexts).toEqual(asked);
  expect(comparing.mock.contexts[0]).toBe(asked[0]);
});
