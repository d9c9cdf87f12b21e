/**
 * Commands that are made to keep whoever judges them busy, and those that a rule ends half way.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { formOfCommand } from '../../src-main/policy/commands/exact-command.ts';
import { COMMAND_LENGTH } from '../../src-main/tools/argument-limits.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { argv, judged, judgeLines, shell } from './judged-lines.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.dispose());

const WRAPPERS = [
  'nice',
  'sudo',
  'env',
  'timeout 5',
  'xargs',
  'find . -exec',
  'nohup',
  'time',
  'doas',
  'sh -c',
  'sudo find',
];
const COUNTS = [18, 36, 64, 400];
const NESTED = WRAPPERS.flatMap((wrapper) => COUNTS.map((count) => [wrapper, count] as const));

describe('one budget of work for each judgement', () => {
  test.each(NESTED)('%s, %i times', (wrapper, count) => {
    const line = `${wrapper} `.repeat(count);
    for (const command of [argv(`${line}true`), shell(`${line}true`), argv(line), shell(`${line}; `.repeat(3))]) {
      const { isWhole, effects, form, repeated } = judged(command);
      if (isWhole) continue;
      // What was not looked at is unknown, and no rule covers it.
      expect(effects.some(({ consequence }) => consequence.code === 'unknown_effects')).toBe(true);
      expect(form.kind).toBe('none');
      expect(repeated).toBeUndefined();
    }
  });

  test.each([
    ...[18, 60, 300].map((count) => ['cd a;', 'cd a;'.repeat(count)]),
    ...[18, 60, 300].map((count) => [
      'different folders',
      Array.from({ length: count }, (_, n) => `cd d${n};`).join(''),
    ]),
    ['pushd', 'pushd a && '.repeat(40)],
    ['cd and deletions', `${'cd a; '.repeat(40)}${'rm -r b; '.repeat(200)}`],
    ['git -C', 'git -C a '.repeat(60)],
    ['substitutions', `${'$('.repeat(30)}true${')'.repeat(30)}`],
    ['substitutions beside each other', '$(rm a) '.repeat(2_000)],
    ['eval', `${'eval "'.repeat(12)}true${'"'.repeat(12)}`],
    ['sh -c within sh -c', `${"sh -c 'sudo ".repeat(20)}true`],
    ['find with many folders', `find ${'a '.repeat(500)} ${'-exec rm {} + '.repeat(300)}`],
    ['nested find', `${'find a b c d -exec '.repeat(30)}true`],
    ['sudo with texts', `sudo ${'"sudo sudo" '.repeat(400)}`],
    ['pipes', 'sh | '.repeat(800)],
    ['redirections', '> a '.repeat(2_000)],
    ['brackets', '('.repeat(10_000)],
    ['braces', '{a,'.repeat(5_000)],
    ['backquotes', '`'.repeat(10_000)],
    ['backslashes', '\\'.repeat(20_000)],
    ['dollars', '$'.repeat(20_000)],
    ['arithmetic', '$(('.repeat(5_000)],
    ['sums', `echo $((${'1+'.repeat(8_000)}`],
    ['digits', '1'.repeat(COMMAND_LENGTH)],
    ['digits and dots', `echo ${'1.'.repeat(14_000)}x`],
    ['blanks', `cd a &&${' '.repeat(29_000)}\n`],
    ['blanks before', `${' '.repeat(29_000)}cd a`],
    ['steps of cd', `cd a${'&&a'.repeat(9_000)}\n`],
    ['quotes', `"'`.repeat(10_000)],
    ['tildes', 'a~'.repeat(9_000)],
    ['here-documents', '<<a '.repeat(5_000)],
    ['comments', '#'.repeat(20_000)],
    ['assignments', 'A=1 '.repeat(6_000)],
    ['dashes', `rm ${'-'.repeat(25_000)}`],
  ])('%s', (_, line) => {
    judged(shell(line));
    judged(argv(line));
  });

  test('the control: lines that people write are judged whole', () => {
    for (const line of [
      'npm test',
      'sudo nice -n 5 timeout 10 make -j4',
      'cd src && cd lib && rm -r build && git commit -m "a message"',
      `find . -name '*.ts' -exec grep -l x {} + -exec wc -l {} +`,
      `eslint ${Array.from({ length: 150 }, (_, n) => `src/a${n}.ts`).join(' ')}`,
    ])
      expect([line, judged(shell(line)).isWhole, judged(argv(line)).isWhole]).toEqual([line, true, true]);
  });

  test('generated lines are judged without an exception, in bounded time', () => judgeLines(1_500));
});

describe('grep --exclude-dir leaves out what has exactly that name, or it is asked', () => {
  const PATTERNS = [
    '[id]',
    '*',
    '?',
    'h*',
    '[h]idden',
    'hidde?',
    'hid[!x]en',
    '[[:alpha:]]',
    '{hidden,x}',
    '\\h\\idden',
    'hidden/',
    './hidden',
    '',
    '.',
    '..',
    '/',
    '~',
    '$HOME',
    'hidden\\',
    '[a',
    'a]',
    '[]',
    '[^]',
    '**',
    '***',
    'hidden*',
    '*hidden',
    '?idden',
    '[!a]*',
    '+(a)',
    '@(hidden)',
    '!(a)',
    'h\u00eddden',
    'hidden\t',
    '\\*',
    '[*]',
    '[[]id]',
  ];

  test.each(PATTERNS)('%j', async (pattern) => {
    const user = new User(() => no);
    tools = new ToolHarness({ consent: user });
    needGrep(tools, pattern);
    const quoted = `'${pattern.replaceAll("'", "'\\''")}'`;
    for (const option of [
      `--exclude-dir=${quoted}`,
      `--exclude-dir ${quoted}`,
      `--exclude-dir=src --exclude-dir=${quoted}`,
    ]) {
      const { decision, result } = await tools.turn('bash', { command: `grep -rn needle . ${option}` });
      expect([option, decision.answer]).toEqual([option, 'deny']);
      expect(result.text).not.toContain('hunter2');
    }
  });

  test.each(['hidden', 'id', 'node_modules', 'a b', 'a-b.c', 'src'])('the control: %j is left out', async (name) => {
    const user = new User(() => no);
    tools = new ToolHarness({ consent: user });
    tools.put('plain.txt', 'needle\n');
    tools.put(`${name}/.env`, 'KEY=needle-hunter2\n');
    const { decision, result } = await tools.turn('bash', { command: `grep -rn needle . --exclude-dir='${name}'` });
    expect(decision.answer).toBe('allow');
    expect(result.text).toContain('plain.txt:1:needle');
    expect(result.text).not.toContain('hunter2');
  });

  function needGrep(harness: ToolHarness, pattern: string): void {
    harness.put('plain.txt', 'needle\n');
    harness.put('hidden/.env', 'KEY=needle-hunter2\n');
    harness.put('i/.env', 'KEY=needle-hunter2\n');
    // A folder of that very name, which is not what the pattern leaves out.
    if (/^[^/\0]+$/.test(pattern) && pattern !== '.' && pattern !== '..')
      harness.put(`${pattern}/.env`, 'KEY=needle-hunter2\n');
  }
});

describe('a command that a rule allows runs to its end', () => {
  const CUTS = [
    '| head -1',
    '| head',
    '| head -n 1',
    '| head -n1',
    '| head --lines=1',
    '2>&1 | head -1',
    '| head -1 | tail -1',
    '| tail -5 | head -1',
    '| head -5 | head -1',
    '2>&1 | head -1 | head -1',
    '2>/dev/null | head -1',
    '| head -n 2 | head -n1',
  ];
  const BEFORE = ['sh migrate.sh', 'true && sh migrate.sh', "sh migrate.sh 'an argument'"];
  const TOOLS = ['bash', 'execute_command'] as const;
  const cases = TOOLS.flatMap((tool) =>
    BEFORE.flatMap((before) => CUTS.map((cut) => [tool, `${before} ${cut}`] as const)),
  );

  test.each(cases)('%s: %s', async (tool, command) => {
    const user = new User(() => no);
    tools = new ToolHarness({ consent: user, remembers: true });
    // More than a pipe holds, then the step that must not be missing.
    tools.put('migrate.sh', 'yes line of the log | head -n 30000\necho done > finished\n');
    const form = formOfCommand(shell(command));
    if (form.kind !== 'exact') throw new Error(`No rule covers ${command}`);
    const matcher = { kind: 'exact-command', line: form.line, directory: tools.workspace } as const;
    tools.rules.add({ label: 'run it', tool: null, matcher }, null);
    const { decision, result } = await tools.turn(tool, { command });
    expect(decision).toMatchObject({ answer: 'allow', by: 'rule' });
    expect(readFileSync(join(tools.workspace, 'finished'), 'utf8')).toBe('done\n');
    expect(result.text).toContain('line of the log');
    expect(result.text.length).toBeLessThan(500);
  });

  const MIGRATION =
    'n=0; while [ $n -lt 20 ]; do echo line || exit 1; n=$((n+1)); sleep 0.02; done\necho done > finished\n';
  const LINES = 'yes line of the log | head -c 40000000 || exit 1\necho done > finished\n';
  const TOO_LARGE = '9'.repeat(30);

  test.each([
    ...TOOLS.flatMap((tool) =>
      [
        `| tail -n ${TOO_LARGE}`,
        `| tail -n +${TOO_LARGE}`,
        `| tail -${TOO_LARGE} | head -1`,
        `| head -1 | tail -n${TOO_LARGE}`,
        `| head -${TOO_LARGE}`,
        `2>&1 | tail --lines=-${TOO_LARGE}`,
      ].map((cut) => ({ tool, script: MIGRATION, input: { command: `sh migrate.sh ${cut}` } })),
    ),
    ...TOOLS.map((tool) => ({ tool, script: LINES, input: { command: 'sh migrate.sh | head -1' } })),
    { tool: 'bash', script: MIGRATION, input: { command: 'sh migrate.sh', timeout: 1 } },
    { tool: 'bash', script: MIGRATION, input: { command: 'sh migrate.sh | head -1', timeout: 100 } },
    { tool: 'execute_command', script: MIGRATION, input: { command: 'sh migrate.sh', timeout: 0.1 } },
    { tool: 'run_command', script: MIGRATION, input: { command: 'sh migrate.sh', timeout_seconds: 0.1 } },
    { tool: 'run_command', script: MIGRATION, input: { command: 'sh', arguments: 'migrate.sh', timeout: 0.001 } },
  ])('whatever ends it early: $tool $input.command', async ({ tool, script, input }) => {
    tools = new ToolHarness({ consent: new User(() => no), remembers: true });
    tools.put('migrate.sh', script);
    const matcher = { kind: 'exact-command', line: 'sh migrate.sh', directory: tools.workspace } as const;
    tools.rules.add({ label: 'run it', tool: null, matcher }, null);
    expect((await tools.turn(tool, input)).decision).toMatchObject({ answer: 'allow', by: 'rule' });
    expect(readFileSync(join(tools.workspace, 'finished'), 'utf8')).toBe('done\n');
  });

  test('the control: the user may allow it for a shorter time', async () => {
    tools = new ToolHarness({ consent: allowAll });
    tools.put('migrate.sh', MIGRATION);
    await tools.turn('bash', { command: 'sh migrate.sh', timeout: 100 });
    expect(existsSync(join(tools.workspace, 'finished'))).toBe(false);
  });

  test('the control: what the user allows runs as it was shown, and the pipe ends it', async (context) => {
    needLinux(context, 'what a closed pipe does to a script is that of its shell');
    tools = new ToolHarness({ consent: allowAll });
    tools.put('migrate.sh', 'yes line of the log | head -n 300000 || exit 1\necho part\necho done > finished\n');
    tools.put(
      'loop.sh',
      'n=0; while [ $n -lt 20000 ]; do echo line of the log $n || exit 1; n=$((n+1)); done\necho done > finished\n',
    );
    await tools.turn('bash', { command: 'sh loop.sh | head -1' });
    expect(existsSync(join(tools.workspace, 'finished'))).toBe(false);
  });
});
