import { describe, expect, test } from 'vitest';
import type { Blank } from '../../../src-preload/contract/pasted-text.ts';
import type { ServerPart, ShownServer, ShownValue } from '../../../src-preload/contract/servers.ts';
import {
  argumentLines,
  argumentsIn,
  linesOf,
  movedLine,
} from '../../../src-renderer/settings/servers/argument-text.ts';
import { EMPTY_SERVER, ServerDraft } from '../../../src-renderer/settings/servers/server-form.svelte.ts';

const KEY_REFERENCE = '--key=$' + '{keychain:KEY}';
const blank = (more: Partial<Blank> = {}): Blank => ({
  hint: '<fill>',
  description: null,
  isOptional: false,
  choices: [],
  ...more,
});
const value = (name: string, more: Partial<ShownValue> = {}): ShownValue => ({
  name,
  value: '',
  isSecret: false,
  before: '',
  after: '',
  ...more,
});
const part = (index: number, more: Partial<ServerPart> = {}): ServerPart => ({
  name: '',
  value: '',
  isSecret: false,
  before: '',
  after: '',
  place: 'args',
  index,
  ...more,
});
const draftOf = (more: Partial<ShownServer>) =>
  new ServerDraft({ ...EMPTY_SERVER, name: 'x', command: 'npx', ...more });

function fieldOf(draft: ServerDraft, label: string) {
  const field = draft.blanks.find((each) => each.label === label);
  if (field === undefined) throw new Error(`no field ${label}: ${draft.blanks.map((each) => each.label).join()}`);
  return field.of;
}

describe('a form with values to fill in', () => {
  test('says which are missing, and sends them in their places', () => {
    const draft = draftOf({
      args: ['-y', 'pkg', '--root', '', '--key=$' + '{keychain:KEY}'],
      env: [value('TOKEN', { isSecret: true, before: 'Bearer ', blank: blank() }), value('MODE', { value: 'fast' })],
      parts: [
        part(3, { blank: blank({ hint: '/path/to/repo' }) }),
        part(4, { name: 'KEY', isSecret: true, before: '--key=', blank: blank() }),
      ],
    });
    expect(draft.missing.map(({ label }) => label)).toEqual(['--root', 'KEY', 'TOKEN']);
    draft.fill(fieldOf(draft, '--root'), '/srv');
    draft.fill(fieldOf(draft, 'KEY'), 'k-1');
    draft.fill(fieldOf(draft, 'TOKEN'), 't-1');
    expect(draft.missing).toEqual([]);
    expect(draft.args).toBe(`-y\npkg\n--root\n/srv\n${KEY_REFERENCE}`);
    expect(draft.form).toMatchObject({
      args: ['-y', 'pkg', '--root', '/srv', KEY_REFERENCE],
      keys: [{ name: 'KEY', value: 'k-1' }],
      env: [{ name: 'TOKEN', value: 't-1', isSecret: true, before: 'Bearer ' }, { name: 'MODE' }],
    });
  });

  test('what the server works without is left out while it is empty', () => {
    const optional = blank({ isOptional: true });
    const draft = draftOf({
      args: ['pkg', '--region', '', '--level', ''],
      env: [value('A', { blank: optional }), value('B', { value: 'set', blank: optional })],
      parts: [part(2, { blank: optional }), part(4, { value: 'debug', blank: optional })],
    });
    expect(draft.missing).toEqual([]);
    expect(draft.form.args).toEqual(['pkg', '--level', 'debug']);
    expect(draft.form.env.map(({ name }) => name)).toEqual(['B']);
  });

  test('a part of the address', () => {
    const draft = draftOf({
      transport: 'http',
      command: '',
      url: 'https:///mcp',
      parts: [part(0, { place: 'url', before: 'https://', after: '/mcp', blank: blank({ hint: '<host>' }) })],
    });
    draft.fill(fieldOf(draft, 'Address'), 'it.example');
    expect(draft.form.url).toBe('https://it.example/mcp');
    draft.url = 'https://other.example/mcp';
    expect(fieldOf(draft, 'Address').value).toBe('other.example');
    draft.url = 'http://127.0.0.1/sse';
    expect(draft.blanks).toEqual([]);
    expect(draft.form.url).toBe('http://127.0.0.1/sse');
  });
});

describe('arguments that are edited by hand', () => {
  const withPart = () => draftOf({ args: ['-y', 'pkg', '--root', '', '--end'], parts: [part(3, { blank: blank() })] });

  test('the field has what was typed in its line', () => {
    const draft = withPart();
    draft.args = '-y\npkg\n--root\n/typed\n--end';
    expect(draft.missing).toEqual([]);
    expect(fieldOf(draft, '--root').value).toBe('/typed');
  });

  test('it moves with its line', () => {
    const draft = withPart();
    draft.args = '--first\n-y\npkg\n--root\n\n--end';
    draft.fill(fieldOf(draft, '--root'), '/srv');
    expect(draft.args).toBe('--first\n-y\npkg\n--root\n/srv\n--end');
  });

  test('it goes with its line', () => {
    const draft = withPart();
    draft.args = '-y\npkg';
    expect(draft.blanks).toEqual([]);
    expect(draft.form.args).toEqual(['-y', 'pkg']);
  });

  test('a key whose reference is gone is not sent', () => {
    const draft = draftOf({
      args: [KEY_REFERENCE],
      parts: [part(0, { name: 'KEY', value: 'k', isSecret: true, before: '--key=' })],
    });
    expect(draft.form.keys).toEqual([{ name: 'KEY', value: 'k' }]);
    draft.args = '--key=other';
    expect(draft.form).toMatchObject({ args: ['--key=other'], keys: [] });
  });
});

test.each([
  [['a', 'b c', '']],
  [['-e', 'line 1\nline 2', '"quoted"']],
  [['"a\\nb"', '"\\"a\\\\nb\\""', '"', '{"a": 1}']],
])('arguments with line breaks and quotation marks come back as they were: %j', (args) => {
  expect(argumentsIn(`${argumentLines(args)}\nend`, new Set())).toEqual([...args, 'end']);
});

test('a line is found after an edit', () => {
  const moved = (before: string, after: string, line: number) => movedLine(linesOf(before), linesOf(after), line);
  expect(moved('a\nb\nc', 'a\nb\nc\nd', 1)).toBe(1);
  expect(moved('a\nb\nc', 'x\ny\na\nb\nc', 1)).toBe(3);
  expect(moved('a\nb\nc', 'a\nc', 1)).toBeUndefined();
  expect(moved('a\na\na', 'a\na', 2)).toBeUndefined();
});

describe('Steward registered by hand', () => {
  const remote = (more: Partial<ShownServer>) =>
    draftOf({ transport: 'http', command: '', url: 'https://it.dev/mcp', ...more });

  test('is said only if there is something to say', () => {
    expect(remote({}).form).not.toHaveProperty('registration');
    const draft = remote({});
    draft.registration.secret.value = 'key';
    draft.registration.port = ' 41890 ';
    expect(draft.form.registration).toEqual({ clientId: '', clientSecret: 'key', callbackPort: 41_890 });
    draft.transport = 'stdio';
    expect(draft.form).not.toHaveProperty('registration');
  });

  test('keeps a secret that stays in main, and can be emptied', () => {
    const draft = remote({ registration: { clientId: 'a', clientSecret: null, callbackPort: 41_890 } });
    expect(draft.form.registration).toEqual({ clientId: 'a', clientSecret: null, callbackPort: 41_890 });
    draft.registration.clientId = '';
    draft.registration.port = '';
    expect(draft.form.registration).toEqual({ clientId: '', clientSecret: null, callbackPort: null });
  });

  test.each(['0', '65536', '80.5', 'any'])('%s is no port', (port) => {
    const draft = remote({});
    draft.registration.port = port;
    expect(draft.problems).toHaveProperty('port');
    draft.transport = 'stdio';
    expect(draft.problems).not.toHaveProperty('port');
  });
});
