import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { need, needSandbox } from '../../fixtures/machine-needs.ts';
import { no } from '../../fixtures/memory-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: { ask: async () => no }, remembers: true, folders: ['other'] });
  tools.put('README.md', 'hello\n');
  grant(tools.workspace);
});
afterEach(() => tools?.dispose());

const grant = (path: string) =>
  tools.rules.add({ label: `work freely in ${path}`, tool: null, matcher: { kind: 'work-freely', path } }, null);
const bash = (command: string, more: object = {}) => tools.turn('bash', { command, ...more });
const read = (path: string) => readFileSync(join(tools.workspace, path), 'utf8');
const exists = (path: string) => existsSync(join(tools.workspace, path));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: tools.workspace,
    stdio: 'ignore',
  });
const untrusted = [{ kind: 'untrusted', source: 'https://evil.example/' }] as const;

describe('commands', () => {
  test.each([
    ['bash', { command: 'echo a > made; cat README.md' }],
    ['run_command', { command: 'sh', arguments: '-c "echo a > made; cat README.md"' }],
    ['execute_command', { command: 'echo a > made; cat README.md' }],
  ])('%s changes the folder without a question', async (tool, input) => {
    const { decision, result } = await tools.turn(tool, input);
    expect(decision).toMatchObject({ answer: 'allow', by: 'grant' });
    expect(result).toMatchObject({ text: expect.stringMatching(/^hello\n?$/), isError: false });
    expect(read('made')).toBe('a\n');
  });

  test('text from outside in the conversation doesn’t matter', async () => {
    expect((await tools.turn('bash', { command: 'echo a > made' }, { marks: untrusted })).decision).toMatchObject({
      by: 'grant',
    });
  });

  test('neither another root nor what is outside is changed', async () => {
    const { result } = await bash('echo a > ../other/x; echo a > ../x; echo a > ~/x; ls ../other');
    expect(result.text).toContain('Read-only file system');
    expect([exists('../other/x'), exists('../x'), exists('../../x')]).toEqual([false, false, false]);
  });

  test('a file that has another name outside, or the folder of very many, is not changed', async () => {
    tools.put('../store/one', 'as it was\n');
    linkSync(join(tools.base, 'store/one'), join(tools.workspace, 'one'));
    tools.put('pair', 'mine\n');
    linkSync(join(tools.workspace, 'pair'), join(tools.workspace, 'other-name'));
    const alone = await bash('echo x > one; echo x > pair');
    expect(alone.result.text).toContain('Read-only file system');
    for (let number = 0; number < 400; number += 1) {
      const [stored, used] = [`../store/${number}`, `packages/${number}/file`];
      tools.put(stored, 'as it was\n');
      tools.put(`packages/${number}/other`, '');
      linkSync(join(tools.workspace, stored), join(tools.workspace, used));
    }
    await bash('for f in packages/*/file; do echo x > "$f"; done; echo x > made');
    const stored = ['one', '0', '200', '399'].map((name) => readFileSync(join(tools.base, 'store', name), 'utf8'));
    expect(new Set(stored)).toEqual(new Set(['as it was\n']));
    expect([read('pair'), read('made')]).toEqual(['x\n', 'x\n']);
  });

  test('a file of 10 GB doesn’t fit', async () => {
    await bash('truncate -s 3G some; truncate -s 10G big');
    expect(statSync(join(tools.workspace, 'some')).size).toBe(3 * 2 ** 30);
    expect(statSync(join(tools.workspace, 'big')).size).toBe(0);
  });

  test('no service of this computer is reached, and the model is told why that failed', async () => {
    const { result } = await bash('exec 3<>/dev/tcp/127.0.0.1/9');
    expect(result.text).toMatch(
      /\n\[it probably needs a service of this computer\]\n\[sandbox: [^\n]+\]\n\[exit code 1\]$/,
    );
  });

  test.each([
    ['outside the sandbox', { sandbox: 'off', reason: 'needs the network' }],
    ['in the background', { run_in_background: true }],
  ])('one that is to run %s asks', async (_, more) => {
    expect((await bash('echo a > made', more)).decision).toMatchObject({ answer: 'deny', by: 'user' });
    expect(exists('made')).toBe(false);
  });

  test('one in a folder without the grant asks', async () => {
    const { decision } = await tools.turn('execute_command', { command: 'echo a > x', working_dir: '../other' });
    expect(decision).toMatchObject({ answer: 'deny', by: 'user' });
  });

  test('a grant for a folder in a root covers no command, which could write the whole root', async () => {
    for (const rule of tools.rules.list(null)) tools.rules.revoke(rule.id);
    mkdirSync(join(tools.workspace, 'sub'));
    grant(join(tools.workspace, 'sub'));
    const { decision } = await tools.turn('execute_command', { command: 'echo a > x', working_dir: 'sub' });
    expect(decision).toMatchObject({ answer: 'deny', by: 'user' });
  });

  test('secret files can neither be read nor changed', async () => {
    tools.put('.env', 'KEY=value-of-env\n');
    const { result } = await bash('cat .env; echo x > .env; rm .env; mv .env b; echo done');
    expect(result.text).not.toContain('value-of-env');
    expect(result.text).toContain('done');
    expect(read('.env')).toBe('KEY=value-of-env\n');
  });

  test('git reads the repository without a question', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    tools.put('README.md', 'changed\n');
    for (const command of ['git log --oneline', 'git diff', 'git status --short'])
      expect((await bash(command)).decision).toMatchObject({ answer: 'allow', by: 'grant' });
    expect((await bash('git diff')).result.text).toContain('+changed');
    expect((await bash('make -v > /dev/null; git status --short')).result.text).toContain('M README.md');
  });
});

describe('what other programs obey', () => {
  test('can’t be changed by a command', async () => {
    git('init', '-q');
    tools.put('.git/hooks/pre-commit', '#!/bin/sh\n');
    tools.put('pkg/.vscode/tasks.json', '{}');
    tools.put('AGENTS.md', 'be kind\n');
    const config = read('.git/config');
    const { result } = await bash(
      'git config core.fsmonitor ./x; echo x >> .git/config; echo x > .git/hooks/pre-commit; mv .git b; rm -rf pkg/.vscode; echo x > pkg/.vscode/tasks.json; echo x > AGENTS.md; mv AGENTS.md c; rm -f AGENTS.md',
    );
    expect(result.text).toMatch(/Read-only file system|Device or resource busy/);
    expect(read('.git/config')).toBe(config);
    expect(read('.git/hooks/pre-commit')).toBe('#!/bin/sh\n');
    expect(read('pkg/.vscode/tasks.json')).toBe('{}');
    expect(read('AGENTS.md')).toBe('be kind\n');
  });

  test('gets another name when a command made it, and the model and its card say so', async () => {
    const { result } = await bash(
      'mkdir -p a/.vscode b; echo x > a/.vscode/tasks.json; echo y > .envrc; echo z > Claude.md; git init -q b; ln -s b/.git .husky',
    );
    expect(result.text).toMatch(/\[put aside, because [^\n]+ \.envrc is now \.envrc\.held[^\n]+\]$/);
    const putAside = result.card?.kind === 'terminal' ? result.card.putAside : undefined;
    expect(putAside).toMatchObject({ count: 5 });
    expect(putAside?.entries).toContainEqual({ path: 'a/.vscode', name: '.vscode.held' });
    for (const made of ['a/.vscode', '.envrc', 'Claude.md', 'b/.git', '.husky']) expect(exists(made)).toBe(false);
    expect(read('a/.vscode.held/tasks.json')).toBe('x\n');
    expect(read('.envrc.held')).toBe('y\n');
    expect(read('b/.git.held/HEAD')).toContain('ref:');
  });

  test('is put aside also in a folder that takes the place of another, and after a command that failed', async () => {
    tools.put('pkg/.envrc', 'old\n');
    const { result } = await bash('mv pkg moved; mkdir pkg; echo evil > pkg/.envrc; exit 3');
    expect(result.text).toContain('pkg/.envrc is now .envrc.held');
    expect(exists('pkg/.envrc')).toBe(false);
    expect(read('moved/.envrc')).toBe('old\n');
  });

  test.each([
    ['with a name that is not UTF-8', "git init -q $'\\xff'", "ls -Ad $'\\xff'/.git.held"],
    ['in a folder that can’t be written', 'git init -q b; chmod 555 b', 'ls -Ad b/.git.held && chmod 755 b'],
    ['with a long name', 'echo x > "$(printf %0240d 1).code-workspace"', 'ls *.held'],
    ['with a line break', "mkdir $'a\\nb'; echo x > $'a\\nb/.envrc'", 'ls */.envrc.held'],
    ['that has the other name already', 'echo x > .envrc.held; echo x > .envrc', 'ls .envrc.held-2'],
  ])('is put aside %s', async (_, command, there) => {
    const { result } = await bash(command);
    expect(result.text).toMatch(/\[put aside, [^\n]+\]$/);
    execFileSync('bash', ['-c', there], { cwd: tools.workspace, stdio: 'ignore' });
  });

  test('is put aside in a folder that can’t be listed', async (context) => {
    need(context, process.getuid?.() !== 0, 'needs another user than root, who lists any folder');
    await bash('mkdir -p x/y/.vscode; echo x > x/y/.vscode/tasks.json; chmod 311 x/y; chmod 0 x');
    expect([exists('x/y/.vscode'), exists('x/y/.vscode.held')]).toEqual([false, true]);
  });

  test('is left where somebody else replaced it meanwhile', async () => {
    tools.put('AGENTS.md', 'old\n');
    const running = bash('touch ready; while [ ! -e go ]; do sleep 0.02; done');
    await expect.poll(() => exists('ready')).toBe(true);
    tools.put('new', 'mine\n');
    renameSync(join(tools.workspace, 'new'), join(tools.workspace, 'AGENTS.md'));
    tools.put('go', '');
    expect((await running).result.text).not.toContain('put aside');
    expect(read('AGENTS.md')).toBe('mine\n');
  });

  test('in a folder of PATH can’t be changed', async () => {
    tools.dispose();
    tools = new ToolHarness({ consent: { ask: async () => no }, remembers: true });
    const env = { ...process.env, PATH: `${join(tools.workspace, 'bin')}:${process.env.PATH}` };
    grant(tools.workspace);
    tools.put('bin/tool', '#!/bin/sh\n');
    await tools.turn('bash', { command: 'echo x > bin/ls; echo x > bin/tool; echo x > made' }, { env });
    expect([exists('bin/ls'), read('bin/tool'), exists('made')]).toEqual([false, '#!/bin/sh\n', true]);
  });

  test('a folder with it is moved as a whole', async () => {
    tools.put('pkg/.vscode/tasks.json', '{}');
    const { result } = await bash('mv pkg lib && ls -A lib');
    expect(result.text).toBe('.vscode');
    expect(read('lib/.vscode/tasks.json')).toBe('{}');
  });

  test('is kept where the settings of Git name it, and where .git leads', async () => {
    git('init', '-q', '--separate-git-dir', 'database');
    git('config', 'core.hooksPath', 'tools/hooks');
    tools.put('tools/hooks/pre-commit', '#!/bin/sh\n');
    const { result } = await bash('echo x > tools/hooks/pre-commit; echo x >> database/config');
    expect(result.text).toMatch(/Read-only file system/);
    expect(read('tools/hooks/pre-commit')).toBe('#!/bin/sh\n');
    expect(read('database/config')).not.toContain('x\n');
  });

  test('is put aside where the settings of Git name it before it is there', async () => {
    git('init', '-q');
    git('config', 'core.hooksPath', 'tools/hooks');
    const { result } = await bash('mkdir -p tools/hooks; echo x > tools/hooks/pre-commit');
    expect(result.text).toContain('tools/hooks is now hooks.held');
    expect([exists('tools/hooks'), exists('tools/hooks.held/pre-commit')]).toEqual([false, true]);
    tools.put('../mine/hooks/mine', '');
    await bash('rm -rf tools; ln -s ../mine tools');
    expect(exists('../mine/hooks/mine')).toBe(true);
    await bash('rm -rf tools; mkdir -p else/hooks; ln -s else tools');
    expect([exists('else/hooks'), exists('else/hooks.held')]).toEqual([false, true]);
  });

  test('a link to it leads to what can’t be changed', async () => {
    tools.put('shared/tasks.json', '{}');
    symlinkSync('shared', join(tools.workspace, '.vscode'));
    await bash('echo x > shared/tasks.json; rm .vscode; mkdir .vscode; echo x > .vscode/tasks.json');
    expect(read('shared/tasks.json')).toBe('{}');
    expect(exists('.vscode')).toBe(false);
  });

  test('is kept by the other name of a hard link too', async () => {
    tools.put('AGENTS.md', 'be kind\n');
    linkSync(join(tools.workspace, 'AGENTS.md'), join(tools.workspace, 'guide.md'));
    await bash('echo evil > guide.md');
    expect(read('AGENTS.md')).toBe('be kind\n');
  });

  test('is put aside where the settings of Git name it, also if the folder above was replaced', async () => {
    git('init', '-q');
    git('config', 'core.hooksPath', 'tools/hooks');
    await bash('mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit');
    expect(exists('tools/hooks')).toBe(false);
    tools.put('tools/hooks/pre-commit', '#!/bin/sh\n');
    await bash('mv tools old; mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit');
    expect(exists('tools/hooks')).toBe(false);
    expect(read('old/hooks/pre-commit')).toBe('#!/bin/sh\n');
  });

  test('is kept where settings that Git includes name it', async () => {
    git('init', '-q');
    git('config', 'include.path', '../settings/git');
    tools.put('settings/git', '[core]\n\thooksPath = tools/hooks\n');
    tools.put('tools/hooks/pre-commit', '#!/bin/sh\n');
    await bash('echo evil > tools/hooks/pre-commit; echo evil > settings/git');
    expect(read('tools/hooks/pre-commit')).toBe('#!/bin/sh\n');
    expect(read('settings/git')).not.toContain('evil');
  });

  test('is kept where the common settings of several working trees name it', async () => {
    git('init', '-q', 'main');
    git('-C', 'main', 'commit', '-q', '--allow-empty', '-m', 'first');
    git('-C', 'main', 'config', 'core.hooksPath', 'tools/hooks');
    git('-C', 'main', 'worktree', 'add', '-q', '../tree');
    tools.put('tree/tools/hooks/pre-commit', '#!/bin/sh\n');
    await bash('echo evil > tree/tools/hooks/pre-commit');
    expect(read('tree/tools/hooks/pre-commit')).toBe('#!/bin/sh\n');
  });

  test('is kept where a hook is a link to it', async () => {
    git('init', '-q');
    tools.put('scripts/check.sh', '#!/bin/sh\n');
    symlinkSync('../../scripts/check.sh', join(tools.workspace, '.git/hooks/pre-commit'));
    await bash('echo evil > scripts/check.sh; mv scripts old; mkdir scripts; echo evil > scripts/check.sh');
    expect(read('old/check.sh')).toBe('#!/bin/sh\n');
    expect(exists('.git/hooks/pre-commit')).toBe(false);
  });

  test('a link is put aside once it leads elsewhere', async () => {
    symlinkSync('made/tasks', join(tools.workspace, '.vscode'));
    tools.put('notes/rules', 'be kind\n');
    symlinkSync('notes/rules', join(tools.workspace, 'CLAUDE.md'));
    tools.put('pkg/shared/settings.json', '{}');
    symlinkSync('shared', join(tools.workspace, 'pkg/.zed'));
    await bash('mkdir -p made/tasks; mv notes old; mkdir notes; echo evil > notes/rules');
    await bash('mkdir -p b/shared; echo evil > b/shared/settings.json; mv pkg/.zed b/.zed');
    expect([exists('.vscode'), exists('CLAUDE.md'), exists('b/.zed')]).toEqual([false, false, false]);
  });

  test('is put aside in a folder that was put aside itself', async () => {
    await bash('mkdir -p .claude/x/.vscode; echo evil > .claude/x/.vscode/tasks.json');
    await bash('mv .claude.held/x app');
    expect(exists('app/.vscode')).toBe(false);
  });

  test('beside one whose path is too long for the system: that one is told of, and nothing runs until it is gone', async () => {
    const deep = 'n=$(printf %0200d 1); for i in {1..25}; do mkdir $n; cd $n; done; echo x > .envrc';
    const { result } = await bash(`mkdir sub; echo x | tee .envrc sub/.envrc; (${deep})`);
    expect(result.text).toMatch(/ and some could not be found or renamed, which the user should know\. /);
    expect([exists('.envrc'), exists('sub/.envrc')]).toEqual([false, false]);
    expect((await bash('echo a > made')).result.text).toContain('ENAMETOOLONG');
    expect(exists('made')).toBe(false);
  });

  test('is looked for with no program that the command made', async () => {
    const { PATH } = process.env;
    process.env.PATH = `${join(tools.workspace, 'bin')}:${PATH}`;
    try {
      await bash(
        String.raw`mkdir bin; printf '#!/bin/sh\ntouch ../outside\n' | tee bin/base64; chmod +x bin/base64; echo x > .envrc`,
      );
    } finally {
      process.env.PATH = PATH;
    }
    expect([exists('../outside'), exists('.envrc')]).toEqual([false, false]);
  });
});

describe('edits', () => {
  const write = (path: string) => tools.turn('write_file', { path, content: 'x' });

  test('need no question in the folder, also beside text from outside', async () => {
    expect((await write('a/b.txt')).decision).toMatchObject({ answer: 'allow', by: 'grant' });
    const beside = await tools.turn('write_file', { path: 'c.txt', content: 'x' }, { marks: untrusted });
    expect(beside.decision).toMatchObject({ answer: 'allow', by: 'grant' });
  });

  test('of what settings of Git name, or a link leads to, ask', async () => {
    git('init', '-q', '--separate-git-dir', 'database');
    git('config', 'core.hooksPath', 'tools/hooks');
    tools.put('shared/tasks.json', '{}');
    symlinkSync('shared', join(tools.workspace, '.vscode'));
    for (const path of ['tools/hooks/pre-commit', 'database/config', '.vscode/tasks.json'])
      expect((await write(path)).decision, path).toMatchObject({ answer: 'deny', by: 'user' });
    expect((await write('tools/other')).decision).toMatchObject({ answer: 'allow', by: 'grant' });
  });

  test.each(['.git/hooks/pre-commit', 'a/.vscode/tasks.json', '.envrc', 'AGENTS.md', '.env', '../other/x'])(
    '%s asks',
    async (path) => {
      expect((await write(path)).decision).toMatchObject({ answer: 'deny', by: 'user' });
    },
  );
});
