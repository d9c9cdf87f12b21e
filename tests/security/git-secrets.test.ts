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
  // Of the repository somebody says yes, of nothing else.
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
  'git show :/first',
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

test.each(['git log --stat', 'git status --short', 'git log -p --follow plain.txt', 'git show HEAD:plain.txt'])(
  '%j prints exactly what git prints',
  async (command) => {
    const { result } = await tools.turn('bash', { command });
    expect(result.text.trim()).toBe(
      execFileSync('sh', ['-c', command], { cwd: tools.workspace, encoding: 'utf8' }).trim(),
    );
  },
);

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
