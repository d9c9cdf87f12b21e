import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User, untrusted, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let user: User;
let tools: ToolHarness;

/** Puts two texts, a folder and a secret file into the workspace, and beside it a text that no tool may read. */
function setUp(answer: 'yes' | 'no', env: NodeJS.ProcessEnv = process.env): ToolHarness {
  user = new User(() => (answer === 'yes' ? yesOnce : no));
  tools = new ToolHarness({ consent: user, env });
  tools.put('README.md', 'hello\nworld\n');
  tools.put('src/a.js', 'const a = 1; // needle\n');
  tools.put('.env', 'KEY=secret-of-env\nSTAGE=stage-of-env\n');
  tools.put('certs/server.pem', '-----BEGIN PRIVATE KEY-----\nsecret-of-pem\n');
  tools.put('../outside.txt', 'secret-of-outside\n');
  return tools;
}

beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  setUp('no');
});
afterEach(() => tools?.dispose());

const bash = (command: string) => tools.turn('bash', { command });

describe('lines that only read do not ask', () => {
  test.each([
    ['ls -la', 'README.md'],
    ['ls src && wc -l README.md', '2 README.md'],
    ['cat README.md src/a.js', 'needle'],
    ["grep -rn 'needle' src | head -5", 'src/a.js:1:'],
    ["grep -rn needle . --include='*.js'", './src/a.js'],
    ['wc -l *.md src/*.js | tail -1', '3 total'],
    ['find . -name "*.js" -type f', './src/a.js'],
    ['sed -n 1,1p README.md', 'hello'],
    ["find src -type f | sed 's/.*\\.//' | sort | uniq -c", 'js'],
    ['cut -d" " -f1 README.md | sort -rn', 'world'],
    ['tail -n 1 README.md 2>/dev/null', 'world'],
    ['diff README.md src/a.js 2>&1 | head -3', '< hello'],
    ['stat -c %s README.md', '12'],
    ['du -sh src', 'src'],
    ['ls -a', '.env'],
    ['awk \'NR > 1 || NF > 0 { n += NF } END { print n " words" }\' README.md', 'words'],
    ['echo $((6 * 7))', '42'],
    ['node --version', 'v'],
  ])('%s', async (command, shown) => {
    const { decision, result } = await bash(command);
    expect(decision).toMatchObject({ answer: 'allow', by: 'default', reason: { code: 'command_reads' } });
    expect(result.text).toContain(shown);
    expect(result.marks).toContainEqual(expect.objectContaining({ kind: 'private' }));
    expect(user.asked).toEqual([]);
  });

  test('reading commands run unasked with each tool for commands, also while text from outside is there', async () => {
    for (const [tool, input] of [
      ['run_command', { command: 'cat', arguments: 'README.md' }],
      ['execute_command', { command: 'cat a.js', working_dir: 'src' }],
    ] as const) {
      const { decision, result } = await tools.turn(tool, input, { marks: [untrusted] });
      expect(decision).toMatchObject({ answer: 'allow', reason: { code: 'command_reads' } });
      expect(result.isError).toBe(false);
    }
  });
});

/**
 * Each of these was a way to write, to run something, or to read elsewhere. It is listed with what it leaves behind if
 * it is simply run, or with what it shows.
 */
const ATTACKS: readonly (readonly [
  line: string,
  effect: { readonly writes: string } | { readonly shows: string } | 'runs',
])[] = [
  ['sort -uo stolen README.md', { writes: 'stolen' }],
  ['sort README.md -o stolen', { writes: 'stolen' }],
  ['sort --outp=stolen README.md', { writes: 'stolen' }],
  ['sort --compress-program=./evil -S 1 README.md', 'runs'],
  ['uniq README.md stolen', { writes: 'stolen' }],
  ["sed -n 'w stolen' README.md", { writes: 'stolen' }],
  ["sed -n '1w stolen' README.md", { writes: 'stolen' }],
  ["sed 's/hello/x/w stolen' README.md", { writes: 'stolen' }],
  ["sed '1e ./evil' README.md", 'runs'],
  ["sed 's/hello/.\\/evil/e' README.md", 'runs'],
  ["sed '1r ../outside.txt' README.md", { shows: 'secret-of-outside' }],
  ["sed -i 's/hello/stolen/' README.md", 'runs'],
  ['sed -nf script.sed README.md', { writes: 'stolen' }],
  ['find . -maxdepth 0 -exec ./evil {} +', 'runs'],
  ['find . -maxdepth 0 -fprint stolen', { writes: 'stolen' }],
  ['find . -name README.md -ok ./evil', 'runs'],
  ['find -L . -name evil -execdir ./evil \\;', 'runs'],
  ['find src/.. .. -name outside.txt', { shows: 'outside.txt' }],
  ['find . -newer ../outside.txt -name README.md -o -fls stolen', { writes: 'stolen' }],
  ['awk \'{ print > "stolen" }\' README.md', { writes: 'stolen' }],
  ['awk \'{ print | "tee stolen" }\' README.md', { writes: 'stolen' }],
  ['awk \'BEGIN { system("touch stolen") }\'', { writes: 'stolen' }],
  ['awk \'BEGIN { ARGV[1] = "../outside.txt"; ARGC = 2 } { print }\'', { shows: 'secret-of-outside' }],
  ['awk \'BEGIN { while ((getline line < "../outside.txt") > 0) print line }\'', { shows: 'secret-of-outside' }],
  ['awk 1 README.md ../outside.txt', { shows: 'secret-of-outside' }],
  ['awk -f evil README.md', 'runs'],
  ['node --version=1 evil', 'runs'],
  ['cat README.md ../outside.txt', { shows: 'secret-of-outside' }],
  ['cat src/../../outside.txt', { shows: 'secret-of-outside' }],
  ['cat linked.txt', { shows: 'secret-of-outside' }],
  ['cat out/outside.txt', { shows: 'secret-of-outside' }],
  ['cat out/*.txt', { shows: 'secret-of-outside' }],
  ['cat li*.txt', { shows: 'secret-of-outside' }],
  ['cat ../*.txt', { shows: 'secret-of-outside' }],
  ['cat {../outside.txt,README.md}', { shows: 'secret-of-outside' }],
  ["cat $'../outside.txt'", { shows: 'secret-of-outside' }],
  ['cat <(./evil)', 'runs'],
  ['cat README.md; ./evil', 'runs'],
  ['cat README.md & ./evil', 'runs'],
  ['cat README.md || ./evil', 'runs'],
  ['cat README.md\n./evil', 'runs'],
  ['cat READ\\\nME.md ../outside.txt', { shows: 'secret-of-outside' }],
  ['cat "$(./evil)"', 'runs'],
  ['cat `./evil`', 'runs'],
  ['cat README.md | ./evil', 'runs'],
  ['cat README.md | sh ./evil', 'runs'],
  ['cat README.md > stolen', { writes: 'stolen' }],
  ['cat README.md >stolen', { writes: 'stolen' }],
  ['cat README.md 2>stolen', { writes: 'stolen' }],
  ['cat < ../outside.txt', { shows: 'secret-of-outside' }],
  ['wc --files0-from=names', { shows: 'outside.txt' }],
  ['wc --files0-f=names', { shows: 'outside.txt' }],
  ['diff --to-file=../outside.txt README.md', { shows: 'secret-of-outside' }],
  ['diff --from-file=../outside.txt README.md', { shows: 'secret-of-outside' }],
  ['diff -r out src', { shows: 'outside.txt' }],
  ['grep -r secret out/', { shows: 'secret-of-outside' }],
  ['grep -R secret-of-outside .', { shows: 'secret-of-outside' }],
  ['grep -h secret -- README.md ../outside.txt', { shows: 'secret-of-outside' }],
  ['grep -hf README.md -e secret ../outside.txt', { shows: 'secret-of-outside' }],
  ['head -n 1 ../outside.txt', { shows: 'secret-of-outside' }],
  ['cat .env', { shows: 'stage-of-env' }],
  ['cat .en?', { shows: 'stage-of-env' }],
  ['grep -r of-env .', { shows: 'stage-of-env' }],
  ['grep -r secret . --include=*.pem', { shows: 'secret-of-pem' }],
  ['head -v certs/server.pem', { shows: 'secret-of-pem' }],
  ['cat link-to-env', { shows: 'stage-of-env' }],
  ['./ls', 'runs'],
  ['bin/ls', 'runs'],
  ['tar --checkpoint=1 --checkpoint-act=exec=./evil -cf /dev/null README.md', 'runs'],
  ['make -E "$(shell ./evil)"', 'runs'],
  ['env ./evil', 'runs'],
  ['xargs ./evil', 'runs'],
  ['awk \'BEGIN{system("./evil")}\'', 'runs'],
  ['IFS=x cat README.md; ./evil', 'runs'],
  ['cat\u00a0README.md', 'runs'],
  ['md5sum -c sums', { shows: 'outside.txt' }],
  ['date -f ../outside.txt 2>&1', { shows: 'secret-of-outside' }],
  ['file -f ../outside.txt', { shows: 'secret-of-outside' }],
  ['rg --pre ./evil needle', 'runs'],
  ['jq -n \'import "outside" as $x; 1\'', 'runs'],
  ['jq -n -L .. \'include "x"; 1\'', 'runs'],
  ['jq --slurpfile x ../outside.txt -n 1', 'runs'],
  ['cat ~/.bashrc', 'runs'],
  ['cat ~root/.bashrc', 'runs'],
  ['cat /proc/self/environ', 'runs'],
  ['head -c 1e9 /dev/zero', 'runs'],
  ['tail -f README.md', 'runs'],
  ['ls -R out/', { shows: 'outside.txt' }],
  ['tree -o stolen', 'runs'],
  ['tree -R -H x', 'runs'],
];

/** What the lines above are after. */
function trap(harness: ToolHarness): void {
  const program = (path: string) => chmodSync(harness.put(path, '#!/bin/sh\ntouch ran\n'), 0o755);
  for (const path of ['evil', 'ls', 'bin/ls']) program(path);
  symlinkSync('../outside.txt', join(harness.workspace, 'linked.txt'));
  symlinkSync('..', join(harness.workspace, 'out'));
  symlinkSync('.env', join(harness.workspace, 'link-to-env'));
  harness.put('names', '../outside.txt\0');
  harness.put('sums', 'd41d8cd98f00b204e9800998ecf8427e  ../outside.txt\n');
  harness.put('script.sed', 'w stolen\n');
}

test.each(ATTACKS)('%j asks first', async (command) => {
  trap(tools);
  const { decision } = await bash(command);
  expect(decision).toMatchObject({ answer: 'deny', by: 'user' });
  expect(user.asked).toMatchObject([{ classes: ['execute'] }]);
  for (const left of ['stolen', 'ran']) expect(existsSync(join(tools.workspace, left)), left).toBe(false);
});

const EFFECTIVE = ATTACKS.filter(([, effect]) => effect !== 'runs') as readonly (readonly [
  string,
  { readonly writes: string } | { readonly shows: string },
])[];

test.each(EFFECTIVE)('control: allowed, %j does what it must be asked for', async (command, effect) => {
  await tools.dispose();
  setUp('yes');
  trap(tools);
  const { result } = await tools.turn('bash', { command, timeout: 5_000 });
  if ('writes' in effect) expect(existsSync(join(tools.workspace, effect.writes))).toBe(true);
  else expect(result.text).toContain(effect.shows);
});

test('a pipe is not read as if it were a file', async () => {
  execFileSync('mkfifo', [join(tools.workspace, 'pipe')]);
  expect((await bash('cat pipe')).decision).toMatchObject({ answer: 'deny', by: 'user' });
});

test('a file that is called like an option is judged as the option that it would be', async () => {
  tools.put('src/-ostolen', '');
  const sorted = { command: 'sort *', working_dir: 'src' };
  expect((await tools.turn('execute_command', sorted)).decision).toMatchObject({ answer: 'deny', by: 'user' });
  expect((await tools.turn('execute_command', { ...sorted, command: 'sort ./*' })).decision.answer).toBe('allow');
  await tools.dispose();
  setUp('yes').put('src/-ostolen', '');
  await tools.turn('execute_command', sorted);
  expect(existsSync(join(tools.workspace, 'src/stolen')), 'control').toBe(true);
});

test('a file that is swapped for a link after the line was judged is not read', async () => {
  const run = await tools.allowed('bash', { command: 'cat README.md' });
  unlinkSync(join(tools.workspace, 'README.md'));
  symlinkSync('../outside.txt', join(tools.workspace, 'README.md'));
  const { text, isError } = await run();
  expect(isError).toBe(true);
  expect(text).not.toContain('secret-of-outside');
});

test.each(['.', '', 'bin', './bin', '{workspace}/bin', '{workspace}/linked-bin'])(
  'a program of the folder itself is not run for a reading one, with %j on PATH',
  async (folder) => {
    await tools.dispose();
    const PATH = `${folder}:/usr/bin:/bin`;
    const env = { PATH };
    setUp('no', env);
    trap(tools);
    symlinkSync('bin', join(tools.workspace, 'linked-bin'));
    env.PATH = PATH.replaceAll('{workspace}', tools.workspace);
    expect((await bash('ls')).decision).toMatchObject({ answer: 'deny', by: 'user' });
    expect((await bash('wc README.md')).decision).toMatchObject({ answer: 'allow' });
    expect(existsSync(join(tools.workspace, 'ran'))).toBe(false);
  },
);

/** Processes get the environment of this one: what a user may have in theirs. */
function withEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

test('nothing in the environment makes a reading line run or read anything else', async () => {
  trap(tools);
  tools.put('start.sh', 'touch ran\nwc() { touch ran; }\n');
  const evil = join(tools.workspace, 'evil');
  const restore = withEnvironment({
    BASH_ENV: join(tools.workspace, 'start.sh'),
    ENV: join(tools.workspace, 'start.sh'),
    'BASH_FUNC_wc%%': '() { touch ran; }',
    RIPGREP_CONFIG_PATH: join(tools.workspace, 'names'),
    LESSOPEN: `|${evil} %s`,
    PAGER: evil,
    GIT_PAGER: evil,
    GIT_EXTERNAL_DIFF: evil,
    GREP_OPTIONS: '-R',
  });
  try {
    const { decision } = await bash('wc -l README.md');
    expect(decision).toMatchObject({ answer: 'allow' });
    expect(existsSync(join(tools.workspace, 'ran'))).toBe(false);
    // Control: without these, the same line runs what they name.
    execFileSync('bash', ['-c', 'wc -l README.md'], { cwd: tools.workspace, stdio: 'ignore' });
    expect(existsSync(join(tools.workspace, 'ran'))).toBe(true);
  } finally {
    restore();
  }
});

test('the command that runs is the one that was judged, however a shell would read the words', async () => {
  const name = "it's $(touch ran) `touch ran` ~ * {a,b}.txt";
  tools.put(name, 'odd name\n');
  const { decision, result } = await tools.turn('run_command', { command: 'cat', arguments: `"${name}"` });
  expect(decision).toMatchObject({ answer: 'allow', reason: { code: 'command_reads' } });
  expect(result.text).toBe('odd name');
  const shown = await bash("cat *'touch ran'*");
  expect(shown.decision).toMatchObject({ answer: 'allow' });
  expect(shown.result.text).toBe('odd name');
  expect(existsSync(join(tools.workspace, 'ran'))).toBe(false);
});

test.each([
  ['a pattern that matches in many ways', `ls ${'*a'.repeat(40)}b`],
  ['an included one', `grep -r x . --include='${'*a'.repeat(40)}b'`],
  ['a script of blanks', `sed -n '${' '.repeat(10_000)}' README.md`],
  ['a script of many commands', `sed -n '${'p;'.repeat(5_000)}x' README.md`],
  ['a line of tildes', `ls ${'a~'.repeat(9_000)}`],
  ['one folder many times', `grep -r x ${'. '.repeat(4_000)}`],
  ['many commands', `${'cat README.md && '.repeat(1_500)}true`],
  ['names that match many times', `ls ${'*/../*/../*/x '.repeat(1_500)}`],
])('%s is judged at once', async (_, command) => {
  tools.put(`src/${'a'.repeat(250)}`, '');
  for (let folder = 0; folder < 16; folder++) tools.put(`src/folder${folder}/file`, '');
  expect(await tools.effectsOf('execute_command', { command, working_dir: 'src' })).toMatchObject({ access: [{}] });
});
