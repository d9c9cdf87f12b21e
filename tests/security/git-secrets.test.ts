import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

/** What was in a secret file once is in the repository for ever, whatever has become of the file. */
const CANARY = 'canary-7f3a91c2';
const SECRETS = ['.env', 'deploy/.ENV.local', 'keys/id_ed25519', 'keys/server.pem', '.ssh/config', 'gone/.env'];

let user: User;
let tools: ToolHarness;
afterEach(() => tools?.dispose());

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
    cwd: tools.workspace,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });

beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  // The user says yes to the repository, and to nothing else.
  user = new User(({ reason }) => (reason.code === 'repository' ? yesOnce : no));
  tools = new ToolHarness({ consent: user });
  git('init', '--quiet');
  for (const text of ['first', 'second']) {
    for (const path of SECRETS) tools.put(path, `${text} ${CANARY}\n`);
    tools.put('plain.txt', `${text} plain\n`);
    git('add', '--force', '.');
    git('commit', '--quiet', '--message', text);
  }
  rmSync(join(tools.workspace, 'gone'), { recursive: true });
  tools.put('.env', `third ${CANARY}\n`);
  tools.put('plain.txt', 'third plain\n');
});

test.each([
  'git log -p',
  'git log --patch -1',
  'git log -U0',
  'git log --word-diff -p',
  'git log -p --all | cat',
  'git show',
  'git show HEAD~1',
  'git diff',
  'git diff HEAD~1',
  'git diff HEAD~1 HEAD -- .',
])('%j shows what has changed, but for the text of secret files', async (command) => {
  const { decision, result } = await tools.turn('bash', { command });
  expect(decision.answer).toBe('allow');
  expect(result.text).toContain('plain');
  expect(result.text).not.toContain(CANARY);
  const control = execFileSync('sh', ['-c', command], { cwd: tools.workspace, encoding: 'utf8' });
  expect(control, 'control: git alone shows it').toContain(CANARY);
});

test.each([
  'git log -p -- .ssh',
  'git log -p -- deploy',
  "git log -p -- 'gone/*'",
  'git log -p -- keys',
  'git diff HEAD~1 -- .ssh',
  "git diff HEAD~1 -- '.en*'",
  'git show HEAD:gone/.env',
  'git show HEAD:.ssh/config',
  'git show HEAD:keys/server.pem',
  'git diff HEAD~1: HEAD:',
  `git log -S ${CANARY} --oneline`,
  `git log -G ${CANARY} --oneline -- gone`,
  'git log -p --follow -- gone/.env',
  `git show HEAD:plain.txt HEAD`,
])('%j tells nothing of them', async (command) => {
  const { result } = await tools.turn('bash', { command });
  expect(result.text).not.toContain(CANARY);
  expect(result.text).not.toMatch(/^[0-9a-f]{7}/);
  const control = execFileSync('sh', ['-c', command], { cwd: tools.workspace, encoding: 'utf8' });
  expect(control, 'control: git alone tells it').toMatch(/canary|^[0-9a-f]{7}/);
});

test.each(['git log --stat', 'git status --short', 'git log --stat --follow plain.txt', 'git show HEAD:plain.txt'])(
  '%j prints exactly what git prints',
  async (command) => {
    const { result } = await tools.turn('bash', { command });
    expect(result.text.trim()).toBe(
      execFileSync('sh', ['-c', command], { cwd: tools.workspace, encoding: 'utf8' }).trim(),
    );
  },
);

test.each([
  'git log -p --follow -- settings.txt',
  'git log --follow -U1 settings.txt',
  'git log --follow --patch HEAD -- settings.txt',
  'git log --follow -S first --oneline -p settings.txt',
])('%s tells nothing of what the file was called before', async (command) => {
  git('mv', '--force', 'deploy/.ENV.local', 'settings.txt');
  git('commit', '--quiet', '--message', 'moved');
  expect((await tools.turn('bash', { command })).result.text).not.toContain('canary');
  const control = execFileSync('sh', ['-c', command], { cwd: tools.workspace, encoding: 'utf8' });
  expect(control, 'control: git alone tells it').toContain(CANARY);
});

/** Ways to name an object by its id, written as `ID`. Each prints a file that was once called `.env`. */
const NAMED = [
  'x-0-gID',
  'v1.0-12-gID',
  'a/b-3-gID',
  'ID^0',
  'ID~0',
  'HEAD~1:.env',
  'refs/tags/kept',
  'kept',
  'tags/kept',
  'kept^{}',
  'kept^{blob}',
  'kept^{object}',
  'ID^{/.}',
  ':/ID',
  'HEAD^{/ID}',
  '@{0}:.env',
];
const ROUND = [
  'git show NAME',
  'git show NAME HEAD',
  'git show --no-patch NAME',
  'git diff NAME HEAD:plain.txt',
  'git show HEAD NAME --',
];

test.each(NAMED.flatMap((name) => ROUND.map((line) => line.replace('NAME', name))))(
  '%s is no way to it',
  async (line) => {
    const id = git('rev-parse', 'HEAD~1:.env').trim();
    git('update-ref', 'refs/tags/kept', id);
    const command = line.replaceAll('ID', id);
    expect((await tools.turn('bash', { command })).result.text).not.toContain(CANARY);
  },
);

test.each(['git show --tags', 'git show --all', 'git show --tags=kept', "git show --tags='k*' --raw"])(
  '%s shows no tag of a file',
  async (command) => {
    git('update-ref', 'refs/tags/kept', git('rev-parse', 'HEAD:.env').trim());
    expect((await tools.turn('bash', { command })).result.text).not.toContain(CANARY);
  },
);

test.each([
  'git show HEAD~1',
  'git show HEAD^',
  'git diff HEAD~1..HEAD',
  'git diff HEAD~1...',
  'git log -p ^HEAD~1 HEAD',
  'git show kept-commit',
  'git log -p @{0}',
  'git log -p --all plain.txt',
  'git log -p -1 HEAD -- plain.txt',
  'git diff HEAD~1 plain.txt',
  'git show HEAD:plain.txt',
  'git log -n 1 -p HEAD plain.txt',
])('the control, which is usual: %s', async (command) => {
  git('update-ref', 'refs/tags/kept-commit', git('rev-parse', 'HEAD').trim());
  const { decision, result } = await tools.turn('bash', { command });
  expect(decision.answer).toBe('allow');
  expect(result.text).toContain('plain');
  expect(result.text).not.toContain(CANARY);
});

/** What prints a file, and what a repository keeps in files. */
const PRINTERS = [
  'cat',
  'base64',
  'head -c 9',
  'od -c',
  'tail -n1',
  'rev',
  'strings',
  'grep -c .',
  'grep -ac canary',
  'sort',
  'cksum',
];
const INSIDE = ['.git/objects/OBJECT', '.git/index', '.git/logs/HEAD', './.git/objects/OBJECT'];

test.each(PRINTERS.flatMap((printer) => INSIDE.map((path) => `${printer} ${path}`)))(
  '%s asks, as for a secret file',
  async (line) => {
    const id = git('rev-parse', 'HEAD:.env').trim();
    const command = line.replace('OBJECT', `${id.slice(0, 2)}/${id.slice(2)}`);
    expect((await tools.turn('bash', { command })).decision).toMatchObject({ answer: 'deny', by: 'user' });
  },
);

test('by the tools for files too, and searches leave it out; what tells nothing is read', async () => {
  for (const path of ['.git/index', '.git/logs/HEAD'])
    expect((await tools.turn('read_file', { path })).decision).toMatchObject({ answer: 'deny' });
  for (const path of ['.git/HEAD', '.git/config'])
    expect((await tools.turn('read_file', { path })).decision).toMatchObject({ answer: 'allow' });
  for (const command of ['cat .git/HEAD', 'ls -R .git/objects', 'find .git -type f'])
    expect([command, (await tools.turn('bash', { command })).decision.answer]).toEqual([command, 'allow']);
});

test('a recursive search leaves the repository out', async () => {
  for (const path of SECRETS) rmSync(join(tools.workspace, path), { force: true });
  for (const command of ['grep -rla second .', 'grep -rl second', 'grep -ral HEAD --include=HEAD .']) {
    const { decision, result } = await tools.turn('bash', { command });
    expect([command, decision.answer]).toEqual([command, 'allow']);
    expect(result.text).not.toContain('.git');
  }
});

test.each([
  ['git show', ''],
  ['git show', '^{}'],
  ['git show', '^{blob}'],
  ['git show HEAD', ''],
  ['git diff HEAD:plain.txt', ''],
  ['git diff', ' HEAD:plain.txt'],
  ['git diff', '..PLAIN'],
  ['git diff PLAIN', ''],
])('%s ID%s does not print a secret file by its object id, which other places tell', async (command, peeled) => {
  const id = (path: string) => git('rev-parse', `HEAD:${path}`).trim();
  const line = `${command} ${id('.env')}${peeled}`.replace('PLAIN', id('plain.txt'));
  expect((await tools.turn('bash', { command: line })).result.text).not.toContain(CANARY);
  const control = execFileSync('sh', ['-c', line], { cwd: tools.workspace, encoding: 'utf8' });
  expect(control, 'control: git alone prints it').toContain(CANARY);
});

test('a commit is shown by its id, whole or abbreviated', async () => {
  const [id, short] = [git('rev-parse', 'HEAD'), git('rev-parse', '--short', 'HEAD')].map((each) => each.trim());
  const earlier = git('rev-parse', 'HEAD~1').trim();
  for (const command of [
    `git show ${id}`,
    `git show ${short}`,
    `git diff ${earlier}..${short}`,
    `git diff ${earlier} ${id}`,
  ])
    expect(await tools.text('bash', { command })).toContain('second plain');
});
