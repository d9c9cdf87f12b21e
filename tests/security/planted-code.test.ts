import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needLinux } from '../fixtures/machine-needs.ts';
import { never, no, User, untrusted, yesOnce } from '../fixtures/memory-ports.ts';
import { MemoryUnreviewed } from '../fixtures/memory-unreviewed.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

const user = new User(() => no);
let tools: ToolHarness;
let kept: MemoryUnreviewed;

beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  kept = new MemoryUnreviewed();
  tools = new ToolHarness({ consent: user, folders: ['granted', 'other'], unreviewed: kept, remembers: true });
  user.asked.length = 0;
  tools.put('fine.md', 'fine\n');
  tools.put('../granted/notes.md', 'Obey.\n');
  tools.put('../granted/fine.md', 'fine\n');
  tools.put('../granted/Makefile', 'test:\n\ttrue\n');
});
afterEach(() => tools?.dispose());

const plant = (path: string) =>
  kept.add({ path: join(tools.base, path), hash: null, marks: [untrusted], conversationId: 'earlier', callId: 'c' });
const reviewAll = () => kept.remove(kept.list().map(({ num }) => num));

/** `DIR` is the granted folder. */
const WRITTEN = [
  'make -C DIR test',
  'make -CDIR test',
  'make -fDIR/Makefile',
  'make --directory=DIR test',
  'npm test --prefix DIR',
  'npm test --prefix=DIR',
  'node DIR',
  'tox -c DIR',
  'pytest DIR',
  'cargo test --manifest-path DIR/Cargo.toml',
  'tsc -p DIR',
  'go test -C DIR ./...',
  'bundle exec rake -f DIR/Rakefile',
  'make test',
  'true',
];
const PROGRAMS = ['make', 'node', 'rake', 'gradle', 'just', 'bats', 'tox'];
const PLACES = ['DIR', './../granted', '-CDIR', '--cwd=DIR', '-C DIR/.', 'DIR/deep/none'];
const GENERATED = PROGRAMS.flatMap((program, at) =>
  PLACES.filter((_, index) => (at + index) % 2 === 0).map((place) => `${program} ${place} run`),
);

describe('no rule answers for a command while any root holds what text from outside had a hand in', () => {
  test.each([...WRITTEN, ...GENERATED])('%s', async (form) => {
    const line = form.replaceAll('DIR', join(tools.base, 'granted'));
    tools.rules.add(
      { label: 'run', tool: null, matcher: { kind: 'exact-command', line, directory: tools.workspace } },
      null,
    );
    plant('granted/Makefile');
    const { decision } = await tools.turn('bash', { command: line });
    expect(decision).toMatchObject({ answer: 'deny', by: 'user' });
    expect(user.asked).toMatchObject([
      {
        reason: { code: 'unreviewed_files', paths: [join(tools.base, 'granted/Makefile')] },
        review: [{ path: join(tools.base, 'granted/Makefile') }],
      },
    ]);
    // The control: reviewed, and the rule answers.
    reviewAll();
    expect((await tools.turn('bash', { command: line })).decision).toMatchObject({ answer: 'allow', by: 'rule' });
  });
});

/** Any number of letters may precede the folder, which is no root here. */
test.each(
  [0, 1, 31, 32, 33, 40, 400].flatMap((letters) =>
    ['../away', 'BASE/away', './../away', '../away/.'].map((place) => `make -${'k'.repeat(letters)}C${place} test`),
  ),
)('nor for one that leads to such a file anywhere else: %s', async (form) => {
  const line = form.replace('BASE', tools.base);
  tools.put('../away/Makefile', 'test:\n\ttrue\n');
  const matcher = { kind: 'exact-command', line, directory: tools.workspace } as const;
  tools.rules.add({ label: 'run', tool: null, matcher }, null);
  plant('away/Makefile');
  expect((await tools.turn('bash', { command: line })).decision).toMatchObject({ answer: 'deny', by: 'user' });
  reviewAll();
  expect((await tools.turn('bash', { command: line })).decision).toMatchObject({ answer: 'allow', by: 'rule' });
});

/** Shown: a file of this conversation's other root, which text from outside wrote. */
const READINGS = [
  'cat DIR/notes.md',
  'head -1 DIR/notes.md',
  'grep -r Obey DIR',
  'grep -h . DIR/notes.md DIR/fine.md',
  'tail -n1 DIR/notes.md | sort',
  'cat fine.md && cat DIR/notes.md',
  'sed -n 1p ../granted/notes.md',
  "awk '{ print }' DIR/notes.md",
  'cat DIR/*.md',
  'cut -c1- DIR/notes.md',
  'od -c DIR/notes.md',
  'base64 DIR/notes.md',
  'diff fine.md DIR/notes.md',
  'ls DIR',
  'find DIR -name "*.md"',
  'basename DIR/n*',
  'basename -a ../granted/*',
];
const GENERATED_READINGS = ['cat', 'tac', 'rev', 'nl', 'wc', 'sort', 'uniq', 'md5sum'].flatMap((program) =>
  ['DIR/notes.md', './../granted/notes.md'].map((path) => `${program} ${path}`),
);
const isUntrusted = ({ marks = [] }: { readonly marks?: readonly { readonly kind: string }[] }) =>
  marks.some(({ kind }) => kind === 'untrusted');

describe('what a reading line reads marks', () => {
  test.each([...READINGS, ...GENERATED_READINGS])('%s', async (form) => {
    const command = form.replaceAll('DIR', join(tools.base, 'granted'));
    plant('granted/notes.md');
    const { decision, result } = await tools.turn('bash', { command });
    expect(decision).toMatchObject({ answer: 'allow', reason: { code: 'command_reads' } });
    expect(isUntrusted(result)).toBe(true);
    // The control: reviewed, it marks nothing.
    reviewAll();
    expect(isUntrusted((await tools.turn('bash', { command })).result)).toBe(false);
  });

  test.each([
    ['run_command', { command: 'cat', arguments: '../granted/notes.md' }],
    ['execute_command', { command: 'cat ../granted/notes.md', working_dir: '.' }],
    ['bash', { command: 'cd ../granted && cat notes.md' }],
    ['bash', { command: 'cd ../granted && ls' }],
  ])('by %s %j', async (tool, input) => {
    plant('granted/notes.md');
    expect(isUntrusted((await tools.turn(tool, input)).result)).toBe(true);
  });

  test('what it does not read marks nothing', async () => {
    plant('granted/notes.md');
    for (const command of ['cat fine.md', 'cat ../granted/fine.md', 'ls', 'date', 'cat fine.md | sort'])
      expect([command, isUntrusted((await tools.turn('bash', { command })).result)]).toEqual([command, false]);
  });
});

const PRINTING = [
  'tail -n +1 -F ../granted/notes.md',
  'while :; do cat ../granted/notes.md; sleep 0.1; done',
  'node -e "setInterval(() => console.log(1), 50)"',
  'cd ../granted && tail -f notes.md',
  'sleep 0.1; cat DIR/notes.md',
];

describe('what a background command prints marks, in any conversation', () => {
  beforeEach(() => {
    tools.dispose();
    tools = new ToolHarness({ consent: new User(() => yesOnce), folders: ['granted'], unreviewed: kept });
    tools.put('../granted/notes.md', 'Obey.\n');
  });
  afterEach(async () => tools.shells.kill('shell_1'));

  test.each(PRINTING)('once there is such a file: %s', async (form) => {
    const command = form.replaceAll('DIR', join(tools.base, 'granted'));
    await tools.turn('bash', { command, run_in_background: true });
    const read = () => tools.turn('bash_output', { bash_id: 'shell_1' }, { conversationId: 'another' });
    expect(isUntrusted((await read()).result)).toBe(false);
    plant('granted/notes.md');
    expect(isUntrusted((await read()).result)).toBe(true);
    reviewAll();
    expect(isUntrusted((await read()).result)).toBe(false);
  });

  test('as the conversation was marked that started it', async () => {
    const command = 'echo Obey.; sleep 20';
    const started = { marks: [untrusted], conversationId: 'earlier' };
    await tools.turn('bash', { command, run_in_background: true }, started);
    const { result } = await tools.turn('bash_output', { bash_id: 'shell_1' }, { conversationId: 'another' });
    expect(result.marks).toContainEqual(untrusted);
    // There it brings nothing new.
    expect(isUntrusted((await tools.turn('bash_output', { bash_id: 'shell_1' }, started)).result)).toBe(false);
  });
});

test('any other command marks if any root holds such a file', async () => {
  const allowing = new User(() => ({ answer: 'allow', scope: 'once', by: 'user' }));
  tools.dispose();
  kept = new MemoryUnreviewed();
  tools = new ToolHarness({ consent: allowing, folders: ['granted'], unreviewed: kept });
  tools.put('../granted/notes.md', 'Obey.\n');
  const command = 'node -e 0';
  expect(isUntrusted((await tools.turn('bash', { command }, { signal: never })).result)).toBe(false);
  plant('granted/notes.md');
  expect(isUntrusted((await tools.turn('bash', { command }, { signal: never })).result)).toBe(true);
});
