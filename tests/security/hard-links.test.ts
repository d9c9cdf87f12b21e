/**
 * A file in the workspace may be a second name of a file outside, or of one that other programs run. An edit of the
 * first name must not change the other.
 */
import { appendFileSync, linkSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Access } from '../../src-main/policy/access.ts';
import { describeAccess } from '../../src-main/policy/access-text.ts';
import type { ConsentPort } from '../../src-main/policy/consent.ts';
import { overwrite } from '../../src-main/tools/files/overwrite.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.dispose());

const BEFORE: Readonly<Record<string, Buffer>> = {
  'plain text': Buffer.from('one\ntwo\n'),
  nothing: Buffer.alloc(0),
  'UTF-16': Buffer.from('\ufeffone\ntwo\n', 'utf16le'),
  'line ends of Windows': Buffer.from('one\r\ntwo\r\n'),
  'a long text': Buffer.from('one\n'.repeat(300_000)),
  bytes: Buffer.from([0xff, 0x6f, 0x6e, 0x65, 0x00, 0x80]),
};
/** The places of the second name. */
const PLACES = ['../store/file', '.git/hooks/pre-commit', 'other.txt', '../profile/file'];
const CHANGES = [
  ['append_file', (path: string) => ({ path, content: 'added' })],
  ['write_file', (path: string) => ({ file_path: path, content: 'new' })],
  ['edit', (path: string) => ({ file_path: path, old_string: 'one', new_string: 'uno' })],
] as const;

const cases = Object.keys(BEFORE).flatMap((content) =>
  PLACES.flatMap((place) => CHANGES.map(([tool, input]) => [tool, content, place, input] as const)),
);

test.each(cases)('%s, %s, second name %s', async (tool, content, place, input) => {
  tools = new ToolHarness({ consent: allowAll });
  const before = BEFORE[content] ?? Buffer.alloc(0);
  const second = tools.put(place, before);
  const first = join(tools.workspace, 'first.txt');
  linkSync(second, first);
  const { result } = await tools.turn(tool, input('first.txt'));
  expect(readFileSync(second).equals(before)).toBe(true);
  // Some can't be changed, such as an edit of a text that is not there.
  if (!result.isError) {
    expect(readFileSync(first).equals(before)).toBe(false);
    expect(lstatSync(first).nlink).toBe(1);
  }
});

test('the control: what is added in place is in both', () => {
  tools = new ToolHarness({ consent: allowAll });
  const second = tools.put('../store/file', 'one\n');
  linkSync(second, join(tools.workspace, 'first.txt'));
  appendFileSync(join(tools.workspace, 'first.txt'), 'added');
  expect(readFileSync(second, 'utf8')).toBe('one\nadded');
});

test('the question says so, and a file with one name is still appended to in place', async () => {
  tools = new ToolHarness({ consent: allowAll });
  linkSync(tools.put('../store/file', 'one\n'), join(tools.workspace, 'first.txt'));
  const file = tools.put('only.txt', 'one\n');
  const { ino } = lstatSync(file);
  const textOf = async (path: string) => {
    const { access } = await tools.effectsOf('append_file', { path, content: 'two' });
    return access.map((each: Access) => (each.kind === 'file' ? describeAccess(each) : '')).join();
  };
  expect(await textOf('first.txt')).toContain('other names (hard links) keep the old content');
  expect(await textOf('only.txt')).not.toContain('hard links');
  await tools.text('append_file', { path: 'only.txt', content: 'two' });
  expect(lstatSync(file).ino).toBe(ino);
});

test('a file that got another name after it was allowed is not written', async () => {
  tools = new ToolHarness({ consent: allowAll });
  const first = tools.put('first.txt', 'one\n');
  const run = await tools.allowed('append_file', { path: 'first.txt', content: 'two' });
  const second = join(tools.base, 'second.txt');
  linkSync(first, second);
  await run();
  expect(readFileSync(second, 'utf8')).toBe('one\n');
});

test('where a file can only be overwritten in place, one with another name is not', async () => {
  tools = new ToolHarness({ consent: allowAll });
  const first = tools.put('first.txt', 'one\n');
  const second = join(tools.base, 'second.txt');
  linkSync(first, second);
  const previous = lstatSync(first);
  const bytes = Buffer.from('new');
  await expect(overwrite({ target: first, previous, bytes })).rejects.toThrow(/other names \(hard links\)/);
  expect(readFileSync(second, 'utf8')).toBe('one\n');
  writeFileSync(join(tools.workspace, 'only.txt'), 'one\n');
  const only = join(tools.workspace, 'only.txt');
  await overwrite({ target: only, previous: lstatSync(only), bytes });
  expect(readFileSync(only, 'utf8')).toBe('new');
});

test.each(CHANGES)(
  'by a rule for edits, %s does not part a name from the secret file that it is',
  async (tool, input) => {
    const asked: string[] = [];
    const consent: ConsentPort = {
      ask: async (request) => {
        asked.push(request.kind);
        return { answer: 'deny', by: 'user' };
      },
    };
    tools = new ToolHarness({ consent, remembers: true });
    const { workspace: path } = tools;
    tools.rules.add({ label: 'edit files', tool: null, matcher: { kind: 'folder', class: 'write', path } }, null);
    linkSync(tools.put('credentials.json', 'one\n'), join(path, 'alias.txt'));
    tools.put('plain.txt', 'one\n');
    await tools.turn(tool, input('plain.txt'));
    expect(asked).toEqual([]);
    const { decision } = await tools.turn(tool, input('alias.txt'));
    expect([decision.answer, asked]).toEqual(['deny', ['tool']]);
    expect(lstatSync(join(path, 'alias.txt')).nlink).toBe(2);
  },
);
