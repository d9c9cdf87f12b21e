import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let user: User;
let tools: ToolHarness;
const bash = (command: string) => tools.turn('bash', { command });
afterEach(() => tools?.dispose());

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
    cwd: tools.workspace,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
const answering = (answer: 'yes' | 'no') => {
  user = new User(() => (answer === 'yes' ? yesOnce : no));
  tools = new ToolHarness({ consent: user });
  tools.put('README.md', 'hello\nworld\n');
  tools.put('src/a.js', 'const a = 1; // needle\n');
  tools.put('../outside.txt', 'secret-of-outside\n');
  chmodSync(tools.put('evil', '#!/bin/sh\ntouch ran\ncat\n'), 0o755);
  git('init', '--quiet');
  git('add', 'README.md', 'src');
  git('commit', '--quiet', '--message', 'First version');
  tools.put('README.md', 'hello\nchanged\n');
};
const hasRun = () => existsSync(join(tools.workspace, 'ran'));

beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  answering('yes');
});

test.each([
  ['git status --short', ' M README.md'],
  ['git diff', '+changed'],
  ['git --no-pager diff --stat', 'README.md | 2'],
  ['git log --oneline -5', 'First version'],
  ['git log --oneline | head -20', 'First version'],
  ['git log -p -- src/a.js', 'needle'],
  ['git show HEAD:README.md', 'world'],
  ['git show --stat', 'src/a.js'],
])('%s looks into the repository, which is asked about as reading', async (command, shown) => {
  const { result } = await bash(command);
  expect(user.asked).toMatchObject([
    { classes: ['read'], reason: { code: 'repository', repository: tools.workspace } },
  ]);
  const [asked] = user.asked;
  expect(asked?.kind === 'tool' && asked.offers[0]).toMatchObject({
    matcher: { kind: 'repository', path: tools.workspace },
  });
  expect(result.text).toContain(shown);
});

/** Settings that start a program, with a line that makes git do so. */
const PROGRAMS: readonly (readonly [setting: string, line: string, attributes: string | null])[] = [
  ['core.fsmonitor', 'git status', null],
  ['diff.external', 'git diff', null],
  ['diff.evil.command', 'git diff', '*.md diff=evil'],
  ['diff.evil.textconv', 'git diff', '*.md diff=evil'],
  ['diff.evil.textconv', 'git log -p', '*.md diff=evil'],
  ['filter.evil.clean', 'git diff', '*.md filter=evil'],
  ['filter.evil.clean', 'git status', '*.md filter=evil'],
  ['filter.evil.process', 'git status', '*.md filter=evil'],
  ['gpg.program', "git log '--format=%G?'", null],
];

test.each(PROGRAMS)('%s starts nothing at %j', async (setting, command, attributes) => {
  const evil = join(tools.workspace, 'evil');
  git('config', setting, evil);
  // The text is as long as before, so git has to look at what is in it.
  tools.put('README.md', 'hello\nWORLD\n');
  if (attributes !== null) tools.put('.gitattributes', `${attributes}\n`);
  if (setting === 'gpg.program') {
    const tree = git('write-tree').trim();
    const commit = `tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`;
    writeFileSync(join(tools.workspace, 'commit'), commit);
    git('reset', '--soft', git('hash-object', '-t', 'commit', '-w', 'commit').trim());
  }
  await bash(command);
  expect(user.asked).toMatchObject([{ reason: { code: 'repository' } }]);
  expect(hasRun()).toBe(false);
  try {
    git(...command.replaceAll("'", '').split(' ').slice(1));
  } catch {
    // What it starts need not answer as git expects.
  }
  expect(hasRun(), 'control: git alone runs it').toBe(true);
});

test.each([
  'git grep --open-files-in-pager=./evil needle',
  'git grep --open=./evil needle',
  'git grep -O./evil needle',
  'git diff --ext-diff',
  'git log -p --textconv',
  'git diff --output=stolen',
  'git diff --outp=stolen',
  'git log --output stolen',
  'git -c core.pager=./evil log',
  'git -C / status',
  'git --git-dir=../x status',
  'git --exec-path=. status',
  'git -p log',
  'git diff --no-index README.md ../outside.txt',
  'git diff ../outside.txt README.md',
  'git diff -- README.md /etc/hostname',
  'git diff src/../../outside.txt README.md',
  'git show HEAD:../outside.txt',
  'git log -O../outside.txt',
  'git show HEAD:.env',
  'git show-branch',
  'git branch',
  'git add .',
  'git commit -m x',
  'git stash',
  'git log --format=x $(./evil)',
  'git status > x',
  'git log --submodule=log -p',
  'git diff --ignore-submodules=none',
  'git log -S',
  'git bisect run ./evil',
  'git status | ./evil',
])('%j is a command like any other', async (command) => {
  await tools.dispose();
  answering('no');
  await bash(command);
  expect(user.asked).toMatchObject([{ classes: ['execute'] }]);
  expect(hasRun()).toBe(false);
  expect(existsSync(join(tools.workspace, 'stolen'))).toBe(false);
});

test.each([
  ['an included configuration', () => tools.put('.git/config', '[include]\n\tpath = ../evil.config\n')],
  ['an included configuration, on one line', () => tools.put('.git/config', '[include] path = ../evil.config\n')],
  ['a conditional one', () => tools.put('.git/config', '[includeIf "gitdir:/"]\n\tpath = ../evil.config\n')],
  ['a setting that nobody knows', () => git('config', 'core.virtualFilesystem', './evil')],
  [
    'a setting behind a continued line',
    () => tools.put('.git/config', '[core]\n\tbare = false\\\n[diff]\n\texternal = ./evil\n'),
  ],
  ['a filter whose name holds what git takes for the end of it', () => git('config', 'filter.a=b.clean', './evil')],
  ['objects that may be fetched', () => git('config', 'remote.origin.promisor', 'true')],
  ['borrowed objects', () => tools.put('.git/objects/info/alternates', '/elsewhere\n')],
  ['a common folder elsewhere', () => tools.put('.git/commondir', '../../elsewhere\n')],
  [
    'a .git that is a file',
    () => {
      git('init', '--quiet', '--separate-git-dir', '../elsewhere.git');
    },
  ],
  [
    'a .git that is a link',
    () => {
      execFileSync('mv', ['.git', '../elsewhere'], { cwd: tools.workspace });
      symlinkSync('../elsewhere', join(tools.workspace, '.git'));
    },
  ],
  [
    'objects that are a link',
    () => {
      execFileSync('mv', ['.git/objects', '../objects'], { cwd: tools.workspace });
      symlinkSync('../../objects', join(tools.workspace, '.git/objects'));
    },
  ],
  [
    'a folder that is laid out as a bare repository',
    () => {
      execFileSync('rm', ['-r', '.git'], { cwd: tools.workspace });
      git('init', '--quiet', '--bare', '.');
    },
  ],
])('a repository with %s is not looked into as one', async (_, prepare) => {
  prepare();
  await bash('git status');
  expect(user.asked).toMatchObject([{ classes: ['execute'] }]);
});

test('one rule answers for all of them in that repository, and in no other', async () => {
  await tools.dispose();
  answering('yes');
  const inside = tools.put('inner/x.md', 'x\n');
  const gitInside = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: dirname(inside), stdio: 'ignore' });
  gitInside('init', '--quiet');
  const context = await tools.effectsOf('bash', { command: 'git log' });
  expect(context.access).toMatchObject([{ reading: { repository: tools.workspace } }]);
  const inner = await tools.effectsOf('execute_command', { command: 'git status', working_dir: 'inner' });
  expect(inner.access).toMatchObject([{ reading: { repository: dirname(inside) } }]);
  const below = await tools.effectsOf('execute_command', { command: 'git status', working_dir: 'src' });
  expect(below.access).toMatchObject([{ reading: { repository: tools.workspace } }]);
});

test('a repository around the workspace is not inside the roots', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: tools.base });
  execFileSync('rm', ['-r', join(tools.workspace, '.git')]);
  await bash('git status');
  expect(user.asked).toMatchObject([{ classes: ['execute'] }]);
});

test('a submodule, which has its own configuration, is not entered', async () => {
  mkdirSync(join(tools.workspace, 'sub'));
  const sub = (...words: readonly string[]) =>
    execFileSync('git', ['-C', 'sub', '-c', 'user.name=A', '-c', 'user.email=a@b', ...words], {
      cwd: tools.workspace,
      stdio: 'ignore',
    });
  sub('init', '--quiet');
  sub('commit', '--quiet', '--allow-empty', '--message', 'x');
  git('add', 'sub');
  sub('config', 'core.fsmonitor', join(tools.workspace, 'evil'));
  for (const command of ['git status', 'git diff', 'git diff --cached', 'git log -p']) await bash(command);
  expect(existsSync(join(tools.workspace, 'ran')) || existsSync(join(tools.workspace, 'sub/ran'))).toBe(false);
  git('status');
  expect(existsSync(join(tools.workspace, 'ran')) || existsSync(join(tools.workspace, 'sub/ran')), 'control').toBe(
    true,
  );
});
