import { expect, test } from 'vitest';
import { formOfCommand } from '../../../../src-main/policy/commands/exact-command.ts';
import type { NoRuleReason } from '../../../../src-preload/contract/no-rule-reason.ts';

const form = (line: string) => formOfCommand({ kind: 'shell', line }, 'linux');

test.each([
  'npm test',
  'npm run lint -- --fix',
  'npx vitest',
  'npx vitest run',
  'node x.js',
  'node --test test/a.test.js',
  'python3 x.py',
  'python -m pytest',
  'make test',
  'cargo build --release',
  'pytest tests/a.py',
  'git status',
  'git grep x',
  './run.sh',
  'bin/x',
  'docker ps -a',
  'node --version',
  'tsc --noEmit',
  'go test ./...',
  'bash build.sh',
  'timeout 60 npm test',
  'npm test | grep fail',
  'node --version && npm --version',
  'mkdir -p a b',
  'touch x',
  'uv run pytest',
  'find . -name x',
])('a rule can stand for %j', (line) => {
  expect(form(line)).toEqual({ kind: 'exact', line });
});

const NONE: Readonly<Record<NoRuleReason | 'shell_line', readonly string[]>> = {
  deletes: [
    'rm -rf x',
    'timeout 5 rm x',
    'find . -exec rm x',
    'busybox rm x',
    'sh x.sh "rm -rf y"',
    'find . -delete',
    'ls && rm x',
  ],
  overwrites: ['mv a b', 'cp a b', 'dd if=a', 'npm test | tee x'],
  fetches: [
    'curl example.org',
    'wget x',
    'npm install',
    'npm exec x',
    'npx --yes x',
    'npm view x --registry=https://evil.example',
    'pip install x',
  ],
  sends: [
    'ssh host ls',
    'rsync a b',
    'gh pr create',
    'npm run deploy:staging',
    'make publish',
    './upload.sh',
    'kubectl apply x',
  ],
  commits: ['git commit -m x', 'git push', 'git checkout .', 'git -c core.pager=x log', 'git config alias.x y', 'git'],
  power: ['sudo ls', 'env sudo ls', 'doas ls'],
  system: ['kill 1', 'docker run x', 'systemctl stop x', 'chmod +x a'],
  opens: ['xdg-open report.pdf', 'open -a Terminal', 'nohup xdg-open x', 'explorer.exe x'],
  code: ['bash -c x', 'node -e x', 'python -c x', 'perl -pe x', 'awk x', 'sed x', 'vim x'],
  input: ['bash', 'node', 'python3 -', 'ls | xargs x', 'bash /dev/stdin'],
  database: ['sqlite3 x', 'psql x'],
  shell_builtin: ['cd x', 'eval x', 'exec x', 'test -v x', 'export A', '. x'],
  unreadable: [`ls ${'x'.repeat(1_000)}`],
  shell_line: ['a; b', 'a > b', 'a $(b)', 'wc *.md', 'A=1 b'],
};

test.each(Object.entries(NONE))('no rule stands for what %s', (why, lines) => {
  for (const line of lines) expect([line, form(line)]).toEqual([line, { kind: 'none', why }]);
});

test('commands with invisible characters get no rule', () => {
  for (const word of ['a\u200b', 'a\u202eb', 'a\u00a0b', '\u2800', 'a\nb'])
    expect(formOfCommand({ kind: 'argv', argv: ['npm', word] })).toEqual({ kind: 'none', why: 'unreadable' });
});

test('on Windows a line has a form if it is bare words', () => {
  const onWindows = (line: string) => formOfCommand({ kind: 'shell', line }, 'win32');
  expect(onWindows('npm  test')).toEqual({ kind: 'exact', line: 'npm test' });
  expect(onWindows('npm test & del x')).toEqual({ kind: 'none', why: 'shell_line' });
  expect(onWindows('del /q x')).toEqual({ kind: 'none', why: 'shell_builtin' });
});

test('a command of millions of words is judged at once', () => {
  const argv = ['timeout', ...Array.from({ length: 1_000_000 }, () => 'timeout')];
  expect(formOfCommand({ kind: 'argv', argv })).toEqual({ kind: 'none', why: 'unreadable' });
});
