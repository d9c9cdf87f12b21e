import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { no } from '../../fixtures/memory-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
let env: NodeJS.ProcessEnv;
beforeEach((context) => {
  needSandbox(context);
  env = { ...process.env };
  tools = new ToolHarness({ consent: { ask: async () => no }, remembers: true, env });
  tools.rules.add(
    {
      label: `work freely in ${tools.workspace}`,
      tool: null,
      matcher: { kind: 'work-freely', path: tools.workspace },
    },
    null,
  );

  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  tools.put('README.md', 'hello\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  tools.put('README.md', 'changed\n');
});
afterEach(() => tools?.dispose());

const bash = (command: string) => tools.turn('bash', { command });
const git = (...args: string[]) => execFileSync('git', args, { cwd: tools.workspace, encoding: 'utf8' });
const subjects = () => git('log', '--format=%s').trim().split('\n');
const inGit = (path: string) => join(tools.workspace, '.git', path);
/** Puts a program at a path that leaves `.git/ran` behind. */
const putTrap = (path: string) => {
  tools.put(path, '#!/bin/sh\ntouch .git/ran\n');
  chmodSync(join(tools.workspace, path), 0o755);
};
/** Has the user's own settings of Git say this. */
const putUserSettings = (text: string) => {
  env.XDG_CONFIG_HOME = join(tools.workspace, 'xdg');
  tools.put('xdg/git/config', text);
};

describe('a line of nothing but what makes a commit writes .git, without a question', () => {
  test.each([
    'git add -A && git commit -m "Change it"',
    "git commit -am 'Change it'",
    'git add README.md && git commit -q -m "Change it" -m "Because." && git status --short',
    'git switch -c topic && git add . && git commit -m "Change it" 2>&1 && git log --oneline -1',
    'git rm --cached README.md && git add README.md && git commit -m "Change it"',
  ])('%s', async (line) => {
    const { decision, result } = await bash(line);
    expect(decision).toMatchObject({ answer: 'allow', by: 'grant' });
    expect([result.isError, subjects()]).toEqual([false, ['Change it', 'first']]);
    expect(git('status', '--short')).toBe('');
  });

  test('with the words of run_command, a message may have several lines', async () => {
    const input = { command: 'git', arguments: 'commit -a -m "Change it\n\nBecause."' };
    expect((await tools.turn('run_command', input)).decision).toMatchObject({ by: 'grant' });
    expect(git('log', '-1', '--format=%B').trim()).toBe('Change it\n\nBecause.');
  });

  test('in a repository below the folder that was granted, and next to another', async () => {
    for (const name of ['one', 'two']) {
      mkdirSync(join(tools.workspace, name));
      git('init', '-q', name);
      git('-C', name, 'config', 'user.name', 'Ada');
      git('-C', name, 'config', 'user.email', 'ada@example.com');
      tools.put(`${name}/a.txt`, 'a\n');
    }
    await tools.turn('execute_command', { command: 'git add -A && git commit -m "In one"', working_dir: 'one' });
    expect(git('-C', 'one', 'log', '--format=%s')).toBe('In one\n');
  });

  test('neither settings, hooks nor other files of .git are written by it', async () => {
    git('config', 'branch.autoSetupMerge', 'always');
    const before = readFileSync(inGit('config'), 'utf8');
    await bash('git switch -c topic');
    expect(readFileSync(inGit('config'), 'utf8')).toBe(before);
    expect(existsSync(inGit('config.lock'))).toBe(false);
  });
});

describe('.git stays as it is', () => {
  const reachesNothing = async (line = 'git add -A && git commit -m "Change it"') => {
    const { decision, result } = await bash(line);
    expect(decision).toMatchObject({ by: 'grant' });
    expect(result.text).toMatch(/Read-only file system|Permission denied/);
    expect(subjects()).toEqual(['first']);
  };

  test.each([
    'git add -A; git commit -m "Change it"',
    'git add -A && git commit -m "Change it" && sh -c "touch .git/commondir"',
    'git add -A && git mv README.md .git/commondir',
  ])('if the line has anything else: %s', (line) => reachesNothing(line));

  test('if the repository has a hook', async () => {
    writeFileSync(inGit('hooks/pre-commit'), '#!/bin/sh\ntouch "$PWD/ran"\n');
    chmodSync(inGit('hooks/pre-commit'), 0o755);
    await reachesNothing();
    expect(existsSync(join(tools.workspace, 'ran'))).toBe(false);
  });

  test.each([
    ['core.fsmonitor', 'touch ran; false'],
    ['filter.own.clean', 'tee ran'],
    ['include.path', '../settings'],
  ])('if the repository has the setting %s', async (name, value) => {
    tools.put('.gitattributes', '* filter=own\n');
    git('config', name, value);
    await bash('git add -A && git commit -m "Change it"');
    git('config', '--unset', name);
    expect([subjects(), existsSync(join(tools.workspace, 'ran'))]).toEqual([['first'], false]);
  });

  test.each(['off', 'false'])('if hooks are in a folder that is called %s', async (folder) => {
    git('config', 'core.hooksPath', folder);
    putTrap(`${folder}/pre-commit`);
    await bash('git add README.md && git commit -m "Change it"');
    expect([subjects(), existsSync(inGit('ran'))]).toEqual([['first'], false]);
  });

  test('if the user has other settings on another branch: the line could start it', async () => {
    putUserSettings('[includeIf "onbranch:topic"]\n\tpath = hooked\n');
    tools.put('xdg/git/hooked', '[core]\n\thooksPath = own\n');
    putTrap('own/pre-commit');
    await bash('git switch -c topic && git commit -am "Change it"');
    expect([subjects(), existsSync(inGit('ran'))]).toEqual([['first'], false]);
  });

  test('if the user has Git write what it does to a file, which could lead into .git', async () => {
    symlinkSync('.git/commondir', join(tools.workspace, 'trace'));
    putUserSettings(`[trace2]\n\tnormalTarget = ${join(tools.workspace, 'trace')}\n`);
    await bash('git add README.md');
    expect(existsSync(inGit('commondir'))).toBe(false);
  });

  test('if there could be another repository below on a disk that doesn’t tell upper from lower case', async () => {
    tools.put('below/.GIT/HEAD', '');
    await reachesNothing('git add README.md');
  });

  test.each([
    ['an empty folder of PATH, which is the one it runs in', () => '', 'git'],
    ['a folder of PATH in the root', () => join(tools.workspace, 'bin'), 'bin/git'],
  ])('if a program called git is in %s', async (_, folder, program) => {
    tools.put(program, '#!/bin/sh\n[ "$1" = config ] || touch .git/ran\nexec /usr/bin/git "$@"\n');
    chmodSync(join(tools.workspace, program), 0o755);
    env.PATH = `${folder()}:${env.PATH}`;
    await bash('git add -A && git commit -m "Change it"');
    expect([subjects(), existsSync(inGit('ran'))]).toEqual([['first'], false]);
  });

  test.each(['below', 'node_modules/below'])('if another repository is in %s: Git would look into it', async (path) => {
    git('init', '-q', path);
    await reachesNothing();
  });
});

describe('nothing but Git runs', () => {
  test('no library of the folder, and no script that a variable names', async () => {
    env.LD_LIBRARY_PATH = ':/opt/lib';
    env.BASH_ENV = './script';
    tools.put('libc.so.6', 'not that of the system');
    putTrap('script');
    await bash('git add README.md && git commit -m "Change it"');
    expect([subjects(), existsSync(inGit('ran'))]).toEqual([['Change it', 'first'], false]);
  });

  test('neither gpg for a format of the user nor a script for submodules', async () => {
    putUserSettings('[format]\n\tpretty = signed %G?\n[status]\n\tsubmoduleSummary = true\n');
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},sub`);
    const { result } = await bash('git add README.md && git log -1 && git status');
    expect(result.text).toContain('Author: Ada');
    expect(result.text).not.toMatch(/signed|Submodule/);
  });
});

test('a folder that a command has made look like a repository doesn’t run anything that could write .git', async () => {
  const config = '[core]\\n\\trepositoryformatversion = 0\\n\\tworktree = ..\\n\\tfsmonitor = touch .git/ran ran\\n';
  tools.put(
    'look-alike.sh',
    `mkdir -p sub/objects sub/refs; echo ref: refs/heads/main > sub/HEAD; printf '${config}' > sub/config`,
  );
  await bash('sh look-alike.sh && echo a > sub/a');
  const input = { command: 'git add a && git commit -m "Change it"', working_dir: 'sub' };
  expect((await tools.turn('execute_command', input)).decision).toMatchObject({ by: 'grant' });
  expect(existsSync(inGit('ran'))).toBe(false);
});
