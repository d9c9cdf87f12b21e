import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { secretFileTest } from '../../../src-main/policy/secret-files.ts';
import { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: allowAll });
  tools.put('README.md', 'hello\n');
  tools.put('.env', 'KEY=value-of-env\n');
  tools.put('../outside.txt', 'text-of-outside\n');
  tools.put('../profile/config.json', '{}');
});
afterEach(() => tools?.dispose());

const sandboxIn = (home: string, environment: NodeJS.ProcessEnv = process.env) =>
  new Sandbox({ home, environment: () => environment, secretFileTest });
const held = { answer: 'allow', by: 'default', reason: { code: 'command_held' } };
const bash = (command: string, more: object = {}) => tools.turn('bash', { command, sandbox: 'read-only', ...more });

test.each([
  ['bash', { command: 'node -e "console.log(6 * 7)"' }],
  ['run_command', { command: 'node', arguments: '-p 6*7' }],
  ['execute_command', { command: 'node -p "6 * 7"' }],
])('%s runs any program in it without a question', async (tool, input) => {
  const { decision, result } = await tools.turn(tool, { ...input, sandbox: 'read-only' });
  expect(decision).toMatchObject(held);
  expect(result).toMatchObject({ text: expect.stringMatching(/^42\n?$/), isError: false });
  expect(result.marks).toContainEqual(expect.objectContaining({ kind: 'private' }));
});

test('nothing in the roots is changed, whatever runs, and the model is told why it failed', async () => {
  const { decision, result } = await bash(
    'rm -rf . ; echo x > README.md; touch new; echo "still $(cat README.md)"; exit 3',
  );
  expect(decision).toMatchObject(held);
  expect(result.text).toMatch(/Read-only file system/);
  expect(result.text).toMatch(/\n\[read-only sandbox: [^\n]+\]\n\[exit code 3\]$/);
  expect(result.text).toContain('still hello');
  expect(existsSync(join(tools.workspace, 'new'))).toBe(false);
});

test('what is written to temporary files and to the home is lost', async () => {
  const { result } = await bash('cd "$TMPDIR" && echo a > x && echo b > ~/y && cat /tmp/x ~/y');
  expect(result.text).toBe('a\nb');
  expect((await bash('ls /tmp ~')).result.text).not.toMatch(/\b[xy]\b/);
});

test('neither what is outside the roots nor the profile exists in it', async () => {
  const { result } = await bash('cat ../outside.txt; cat ../profile/config.json; ls ..');
  expect(result.text).not.toContain('text-of-outside');
  expect(result.text).toContain('No such file or directory');
  expect(result.text).toMatch(/\bws\b/);
});

test('secret files can’t be opened, and the rest of the command does its work', async () => {
  const { result } = await bash('cat .env; cp .env /tmp/copy; grep -r value-of . ; cat README.md');
  expect(result.text).not.toContain('value-of-env');
  expect(result.text).toContain('Permission denied');
  expect(result.text).toContain('hello');
});

test('a secret file that Git tracks is readable, as in the repository itself', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tools.workspace, stdio: 'pipe' });
  tools.put('keys/test.pem', '-----BEGIN PRIVATE KEY-----\nof-the-tests\n');
  git('init', '-q');
  git('add', 'keys', 'README.md');
  const { result } = await bash('cat keys/test.pem .env; git status --short');
  expect(result.text).toContain('of-the-tests');
  expect(result.text).not.toContain('value-of-env');
  expect(result.text).toMatch(/\?\? \.env/);
});

test('nothing runs if a secret file has another name, by which it could be read', async () => {
  linkSync(join(tools.workspace, '.env'), join(tools.workspace, 'notes.txt'));
  const { result } = await bash('cat notes.txt');
  expect(result.isError).toBe(true);
  expect(result.text).toMatch(/^Error: The sandbox can’t hide all secret files here: \.env has several names\./);
});

test('no address is reached, of this machine neither', async () => {
  const script = `fetch('http://127.0.0.1:9').catch((e) => console.log(e.cause.code)); require('net').connect('/run/x').on('error', (e) => console.log(e.code))`;
  const { result } = await bash(`node -e "${script}"`);
  expect(result.text).toMatch(/ECONNREFUSED|EAFNOSUPPORT/);
  expect((await bash('curl -sS http://192.0.2.1')).result.text).toMatch(/unreachable|Couldn't connect/);
});

test('it marks nothing as fetched, since nothing can be', async () => {
  const { result } = await bash('curl -s http://127.0.0.1:9; true');
  expect(result.marks?.map(({ kind }) => kind)).toEqual(['private']);
});

test('what runs in the background or outside is asked about, as without it', async () => {
  const background = await bash('sleep 1', { run_in_background: true });
  expect(background.result.text).toBe('Error: run_in_background needs sandbox "folder"');
  const { decision } = await tools.turn('bash', { command: 'touch made', sandbox: 'folder' });
  expect(decision).toMatchObject({ by: 'user' });
  const outside = { command: 'touch made', sandbox: 'off', reason: 'It writes to another folder.' };
  expect((await tools.turn('bash', outside)).decision).toMatchObject({ by: 'user' });
});

test.each(['bash', 'run_command', 'execute_command'])('%s needs a reason to run outside', async (tool) => {
  const { result } = await tools.turn(tool, { command: 'ls', sandbox: 'off' });
  expect(result.text).toBe('Error: reason is required to run outside the sandbox');
});

test('a wrong value of sandbox is an error, not another way to run', async () => {
  const { result } = await tools.turn('bash', { command: 'touch made', sandbox: 'readonly' });
  expect(result.isError).toBe(true);
  expect(result.text).toContain('read-only');
  expect(existsSync(join(tools.workspace, 'made'))).toBe(false);
});

test('a program of PATH that is a link to another folder runs, and nothing else of that folder exists', async () => {
  const program = tools.put(
    '../tools/greet/bin/greet',
    '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/../lib/greeting"\n',
  );
  const greeting = tools.put('../tools/greet/lib/greeting', '#!/bin/sh\necho good morning\n');
  tools.put('../tools/greet/notes.txt', 'text-beside-it\n');
  for (const each of [program, greeting]) chmodSync(each, 0o755);
  mkdirSync(join(tools.base, 'links'));
  symlinkSync(program, join(tools.base, 'links/greet'));
  const path = `${join(tools.base, 'links')}:${process.env.PATH}`;
  const other = new ToolHarness({ consent: allowAll, env: { ...process.env, PATH: path } });
  onTestFinished(() => other.dispose());
  const command = `PATH=${path} greet; cat ${join(tools.base, 'tools/greet/notes.txt')}`;
  const { result } = await other.turn('bash', { command, sandbox: 'read-only' });
  expect(result.text).toContain('good morning');
  expect(result.text).not.toContain('text-beside-it');
});

test('a link in PATH to a folder, or in a folder of PATH that is in a root, shows nothing', async () => {
  tools.put('../private/diary.txt', 'text-of-the-diary\n');
  mkdirSync(join(tools.base, 'links'));
  mkdirSync(join(tools.workspace, 'bin'));
  symlinkSync(join(tools.base, 'private'), join(tools.base, 'links/private'));
  const script = tools.put('../private/script', '#!/bin/sh\n# text-of-the-script\n');
  chmodSync(script, 0o755);
  symlinkSync(script, join(tools.workspace, 'bin/script'));
  const path = `${join(tools.base, 'links')}:${join(tools.workspace, 'bin')}:${process.env.PATH}`;
  const sandbox = sandboxIn(tools.base, { ...process.env, PATH: path });
  const { result } = await tools.turn(
    'bash',
    { command: 'cat ../private/* ; true', sandbox: 'read-only' },
    { sandbox },
  );
  expect(result.text).not.toMatch(/text-of-the-(?:diary|script)/);
});

test('settings of Git that hold a password are hidden', async () => {
  tools.put('.git/config', '[remote "origin"]\n\turl = https://me:password-of-git@example.com/x.git\n');
  const { result } = await bash('cat .git/config');
  expect(result.text).not.toContain('password-of-git');
  expect(result.text).toContain('Permission denied');
});

test('a root that holds the home has no sandbox, also if the home is a link: then it asks, and says so', async () => {
  symlinkSync(tools.workspace, join(tools.base, 'home'));
  const sandbox = sandboxIn(join(tools.base, 'home'));
  const given = { sandbox };
  const { decision, result } = await tools.turn('bash', { command: 'touch x; echo a', sandbox: 'read-only' }, given);
  expect(decision).toMatchObject({ answer: 'allow', by: 'user' });
  expect(result.text).toMatch(/^a\n\[this ran outside the sandbox, [^\n]+\]$/);
});

test('the user’s own settings of bash are not run to start it', async () => {
  // bash takes a socket on stdin for a remote shell, as Node's pipes are, and an app that was started by a desktop has no
  // SHLVL.
  const { SHLVL: _level, ...environment } = process.env;
  const home = join(tools.base, 'home');
  const made = join(tools.base, 'made');
  tools.put('../home/.bashrc', `touch ${made}\n`);
  expect(await sandboxIn(home, { ...environment, HOME: home }).canHold([tools.workspace])).toBe(true);
  expect(existsSync(made)).toBe(false);
});
