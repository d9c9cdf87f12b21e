import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SettingsProblem } from '../../../src-main/settings/problems.ts';
import { openSettings, type Settings, type SettingsChange } from '../../../src-main/settings/settings.ts';
import { needLinux, needPosix } from '../../fixtures/machine-needs.ts';

const child = fileURLToPath(new URL('./settings-child.ts', import.meta.url));

let profileDirectory: string;
let path: string;
let reported: SettingsProblem[];
let opened: Settings[];
beforeEach(() => {
  profileDirectory = mkdtempSync(join(tmpdir(), 'steward-settings-'));
  path = join(profileDirectory, 'config.json');
  reported = [];
  opened = [];
});
afterEach(() => {
  for (const settings of opened) settings.close();
  chmodSync(profileDirectory, 0o700);
  rmSync(profileDirectory, { recursive: true, force: true });
});

function open(): Settings {
  const settings = openSettings({ profileDirectory, onProblem: (problem) => reported.push(problem) });
  opened.push(settings);
  return settings;
}

async function run(command: readonly string[], ...args: string[]): Promise<string> {
  const [program = process.execPath, ...before] = [...command, process.execPath, '--no-warnings', child, ...args];
  const running = spawn(program, before, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(running, 'close');
  return output;
}

const written = () => JSON.parse(readFileSync(path, 'utf8'));

test('without a file everything is at its default, nothing is written, and a save creates it for its owner only', async () => {
  const settings = open();
  expect(settings.current.limits.rounds).toBe(50);
  await settings.update(() => undefined);
  expect(existsSync(path)).toBe(false);
  const config = await settings.update((draft) => {
    draft.limits.rounds = 7;
  });
  expect(config.limits.rounds).toBe(7);
  expect(settings.current).toBe(config);
  expect(readFileSync(path, 'utf8')).toBe('{\n  "limits": {\n    "rounds": 7\n  }\n}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(profileDirectory)).toEqual(['config.json', 'locks']);
});

test('a section that the file does not have is written with what was changed only, not with its defaults', async () => {
  const settings = open();
  await settings.update((draft) => {
    draft.tools.disabled = ['bash'];
    return undefined;
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ tools: { disabled: ['bash'] } });
  await settings.update((draft) => ({ tools: { ...draft.tools, profile: 'lean' } }));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ tools: { disabled: ['bash'], profile: 'lean' } });
});

test('a save changes what was changed; unknown keys, unusable values, order and layout stay', async () => {
  const before = `{
\t"x-mine": {"a": [1, 2]},
\t"outboxSeconds": "ten",
\t"McpServers": {"files": {"Command": "npx", "autoApprove": ["read"]}, "broken": {"transport": "sse"}},
\t"folders": ["/srv/a", "relative", "~/b"],
\t"tools": {"future": true, "profile": "lean"},
\t"model": "guide"
}
`;
  writeFileSync(path, before);
  const settings = open();
  await settings.update((draft) => {
    draft.model = 'anthropic:claude-sonnet-4-5';
    draft.folders.push('/srv/c');
    draft.tools.readWalkUp = false;
    const files = draft.mcpServers.files;
    if (files !== undefined) files.command = 'uvx';
    draft.mcpServers.web = { transport: 'http', url: 'https://w.example/mcp', args: [], env: {}, headers: {} };
  });
  const after = written();
  expect(after).toEqual({
    'x-mine': { a: [1, 2] },
    outboxSeconds: 'ten',
    McpServers: {
      files: { Command: 'uvx', autoApprove: ['read'] },
      broken: { transport: 'sse' },
      web: { transport: 'http', url: 'https://w.example/mcp' },
    },
    folders: ['/srv/a', 'relative', '~/b', '/srv/c'],
    tools: { future: true, profile: 'lean', readWalkUp: false },
    model: 'anthropic:claude-sonnet-4-5',
  });
  expect(Object.keys(after)).toEqual(['x-mine', 'outboxSeconds', 'McpServers', 'folders', 'tools', 'model']);
  expect(readFileSync(path, 'utf8')).toContain('\n\t"x-mine": {"a": [1, 2]},\n');
});

test('comments and layout survive every kind of edit', async () => {
  const before = `// Mine
{
    "model": "guide", // for now
    /* Where I work */
    "folders": [
        "/srv/a", // the reports
        "/srv/b",
        // private
        "~/c",
    ],
    "tools": { "disabled": ["bash"] },
    // my servers
    "McpServers": {
        "old": { "command": "npx" },
        "files": { "Command": "npx", /* pinned */ "args": ["a@1"] },
    },
}
`;
  writeFileSync(path, before);
  const settings = open();
  expect(settings.problems).toEqual([]);
  await settings.update((draft) => {
    draft.model = 'anthropic:claude-sonnet-4-5';
    draft.folders = [...draft.folders.filter((folder) => folder !== '/srv/b'), '/srv/d'];
    draft.tools.disabled.push('glob');
    draft.limits.rounds = 9;
    delete draft.mcpServers.old;
    if (draft.mcpServers.files !== undefined) draft.mcpServers.files.command = 'uvx';
  });
  expect(readFileSync(path, 'utf8')).toBe(`// Mine
{
    "model": "anthropic:claude-sonnet-4-5", // for now
    /* Where I work */
    "folders": [
        "/srv/a", // the reports
        // private
        "~/c",
        "/srv/d",
    ],
    "tools": { "disabled": ["bash", "glob"] },
    // my servers
    "McpServers": {
        "files": { "Command": "uvx", /* pinned */ "args": ["a@1"] },
    },
    "limits": {
        "rounds": 9
    },
}
`);
});

test('a key that stands there twice counts as its last one, and is one after a save', async () => {
  writeFileSync(path, '{"model": "one", "mcpservers": {"a": {"command": "x"}}, "model": "two", "mcpServers": {}}');
  const settings = open();
  expect(settings.current.model).toBe('two');
  await settings.update(() => ({ model: 'guide' }));
  expect(readFileSync(path, 'utf8').match(/"model"/g)).toHaveLength(1);
  expect(written()).toEqual({ model: 'guide', mcpServers: { a: { command: 'x' } } });
});

test('a key given outright replaces an unusable value and undefined removes one', async () => {
  writeFileSync(path, '{"outboxSeconds": "ten", "tools": {"profile": "leen", "future": 1}, "model": "guide"}');
  const settings = open();
  expect(settings.problems).toHaveLength(3);
  await settings.update(() => ({ outboxSeconds: 10, tools: { profile: 'all' }, model: undefined }));
  expect(written()).toEqual({ outboxSeconds: 10, tools: { profile: 'all', future: 1 } });
  expect(settings.problems.map(({ key }) => key)).toEqual(['tools.future']);
});

test('a change to a bad value is refused by key, and nothing is written', async () => {
  const settings = open();
  await expect(settings.update(() => ({ endpoints: { anthropic: 'nonsense' } }))).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringContaining('endpoints.anthropic'),
    problems: [{ key: 'endpoints.anthropic' }],
  });
  // @ts-expect-error: not a key
  await expect(settings.update(() => ({ modell: 'x' }))).rejects.toThrow(/\bmodell .*\bmodel\?/);
  await expect(settings.update(() => ({ workingDirectory: join(profileDirectory, 'inner') }))).rejects.toThrow(
    'profile folder',
  );
  expect(existsSync(path)).toBe(false);
});

test.each([
  ['half-written', '{\n  "model": "gui', 2, 12],
  ['empty', '', 1, 1],
  ['with an open comment', '{\n  /* mine\n  "model": "guide"\n}', 2, 3],
  ['a list', '\n[1]', 2, 1],
  ['in UTF-16', Buffer.from('\ufeff{"model": "guide"}', 'utf16le'), 1, 1],
  ['in Latin-1', Buffer.from('{"model": "gu\u00efde"}', 'latin1'), 1, 14],
  ['deeply nested', '['.repeat(200_000), 1, 1],
])(
  'a config.json that is %s: defaults, line and column, and the file is kept until and after a save',
  async (_, text, line, column) => {
    writeFileSync(path, text);
    const settings = open();
    expect(settings.current.limits.rounds).toBe(50);
    expect(settings.problems).toMatchObject([{ severity: 'error', code: 'bad_json', line, column }]);
    expect(reported).toEqual(settings.problems);
    expect(settings.problems[0]?.message).toContain(`line ${line}, column ${column}: `);
    await settings.update(() => undefined);
    await settings.update(() => ({ limits: {} }));
    expect(readFileSync(path)).toEqual(Buffer.from(text));

    await settings.update(() => ({ limits: { rounds: 3 } }));
    expect(written()).toEqual({ limits: { rounds: 3 } });
    expect(readFileSync(`${path}.broken-1`)).toEqual(Buffer.from(text));
    expect(settings.problems).toMatchObject([
      { severity: 'notice', code: 'set_aside', message: expect.stringContaining('config.json.broken-1') },
    ]);

    writeFileSync(path, text);
    await open().update(() => ({ limits: { rounds: 4 } }));
    expect(readFileSync(`${path}.broken-1`)).toEqual(Buffer.from(text));
    expect(readFileSync(`${path}.broken-2`)).toEqual(Buffer.from(text));
  },
);

test('a byte order mark does no harm', () => {
  writeFileSync(path, '\ufeff{"model": "guide"}');
  expect(open().current.model).toBe('guide');
  expect(reported).toEqual([]);
});

test.each([
  ['a folder', () => mkdirSync(path), 'is a folder'],
  ['a huge file', () => writeFileSync(path, `{"x": "${'y'.repeat(2_000_000)}"}`), '2,000,009 bytes'],
])('%s in its place is left alone and set aside by a save', async (_, make, words) => {
  make();
  const settings = open();
  expect(settings.problems).toMatchObject([{ code: 'unreadable', message: expect.stringContaining(words) }]);
  await settings.update(() => ({ model: 'guide' }));
  expect(written()).toEqual({ model: 'guide' });
  expect(existsSync(`${path}.broken-1`)).toBe(true);
});

test('many saves at once, in one process and in several, lose nothing', async () => {
  writeFileSync(path, '{"x-mine": 1}');
  const settings = open();
  const here = Array.from({ length: 10 }, (_, number) =>
    settings.update((draft) => void draft.tools.disabled.push(`here-${number}`)),
  );
  const outputs = await Promise.all(['a', 'b', 'c'].map((name) => run([], profileDirectory, 'add', name, '10')));
  await Promise.all(here);
  expect(outputs).toEqual(['done', 'done', 'done']);
  const expected = ['here', 'a', 'b', 'c'].flatMap((name) =>
    Array.from({ length: 10 }, (_, number) => `${name}-${number}`),
  );
  expect(written().tools.disabled.toSorted()).toEqual(expected.toSorted());
  expect(written()['x-mine']).toBe(1);
  expect(readdirSync(profileDirectory)).toEqual(['config.json', 'locks']);
});

test('a config.json that is a symbolic link stays a link', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'steward-dotfiles-'));
  writeFileSync(join(elsewhere, 'mine.json'), '{}');
  symlinkSync(join(elsewhere, 'mine.json'), path);
  await open().update(() => ({ model: 'guide' }));
  expect(JSON.parse(readFileSync(join(elsewhere, 'mine.json'), 'utf8'))).toEqual({ model: 'guide' });
  rmSync(elsewhere, { recursive: true });
});

test('a full disk is reported, and the old file stays whole', async (context) => {
  needPosix(context);
  writeFileSync(path, '{"model": "guide"}');
  // No file may grow beyond 4 KB: writes stop in the middle, as on a full disk.
  const output = await run(['sh', '-c', 'trap \'\' XFSZ; ulimit -f 8; exec "$@"', 'sh'], profileDirectory, 'big');
  expect(output).toContain('could not be saved');
  expect(written()).toEqual({ model: 'guide' });
  expect(readdirSync(profileDirectory)).toEqual(['config.json', 'locks']);
});

/** Root may write anywhere; without these capabilities it is bound by permissions like everyone. */
const asEveryone =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : [];

test('a read-only profile folder is reported when opened and when saved', async (context) => {
  needLinux(context, 'elsewhere `setpriv` cannot bind root by permissions');
  writeFileSync(path, '{"model": "guide"}');
  chmodSync(profileDirectory, 0o500);
  expect(await run(asEveryone, profileDirectory, 'open')).toContain(
    'cannot be read and written with your permissions (EACCES)',
  );
  expect(await run(asEveryone, profileDirectory, 'add', 'a')).toContain(
    'you may not write there (EACCES). Nothing was changed.',
  );
  const missing = join(profileDirectory, 'new');
  expect(await run(asEveryone, missing, 'open')).toMatch(new RegExp(`${missing} .*[(]EACCES[)]`));
});

test('changes from outside are told, however an editor makes them; a mistake changes nothing but the problems', async () => {
  writeFileSync(path, '{"model": "one"}');
  const settings = open();
  const changes: SettingsChange[] = [];
  const stop = settings.watch((change) => changes.push(change));
  const seen = async (model: string) => {
    await vi.waitFor(() => expect(settings.current.model).toBe(model), { timeout: 30_000 });
    expect(changes.at(-1)).toMatchObject({ origin: 'file', config: { model } });
  };
  writeFileSync(path, '{"model": "two"}');
  await seen('two');
  writeFileSync(`${path}.new`, '{"model": "three"}');
  renameSync(`${path}.new`, path);
  await seen('three');
  renameSync(path, `${path}~`);
  writeFileSync(path, '{"model": "four"}');
  await seen('four');

  writeFileSync(path, '{"model": "fi');
  await vi.waitFor(() => expect(settings.problems).toMatchObject([{ code: 'bad_json', line: 1 }]), { timeout: 30_000 });
  expect(settings.current.model).toBe('four');
  expect(settings.problems[0]?.inEffect).toBe('settings_read_before');
  await settings.update(() => ({ outboxSeconds: 3 }));
  expect(written()).toEqual({ model: 'four', outboxSeconds: 3 });
  expect(changes.at(-1)).toMatchObject({ origin: 'update', config: { outboxSeconds: 3 } });

  writeFileSync(path, '{"model": "six", "modell": 1}');
  await seen('six');
  expect(settings.problems.map(({ code }) => code)).toEqual(['unknown_key', 'set_aside']);
  expect(changes.map(({ config }) => config.model)).toEqual(['two', 'three', 'four', 'four', 'six']);
  expect(reported.filter(({ code }) => code === 'unknown_key')).toHaveLength(1);

  stop();
  writeFileSync(path, '{"model": "seven"}');
  expect((await settings.update(() => ({ outboxSeconds: 4 }))).model).toBe('seven');
  expect(changes).toHaveLength(5);
});

test('a watched profile does not keep a process alive', async () => {
  const source = `import(${JSON.stringify(fileURLToPath(new URL('../../../src-main/settings/settings.ts', import.meta.url)))}).then(({ openSettings }) => openSettings({ profileDirectory: ${JSON.stringify(profileDirectory)}, onProblem: () => {} }).watch(() => {}))`;
  const running = spawn(process.execPath, ['--no-warnings', '-e', source], { stdio: 'inherit' });
  expect(await once(running, 'exit')).toEqual([0, null]);
});
