/**
 * A command is asked about, and a call of the same message or of another conversation replaces what it runs, by the rule
 * for edits or a grant, or a program does: what runs would not be what was there when the user read the question.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Checkpoints } from '../../src-main/checkpoints/checkpoints.ts';
import type { ConsentAnswer } from '../../src-main/policy/consent.ts';
import { leasesIn, nothingHeld } from '../fixtures/checkpoint-place.ts';
import { KEPT_LIMITS } from '../fixtures/kept-limits.ts';
import { needSandbox } from '../fixtures/machine-needs.ts';
import { no, ruleOf, yesOnce } from '../fixtures/memory-ports.ts';
import { type Call, messageCalls } from '../fixtures/message-calls.ts';
import type { ToolHarness } from '../fixtures/tool-harness.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

const HARMLESS = 'echo harmless\n';
const PLANTED = 'echo planted\n';

const SOON = { timeout: 20_000, interval: 20 };

/** A file with commands of the shell, and ways to run it. */
const RUN_BY: readonly (readonly [file: string, command: string])[] = [
  ['build.sh', 'sh build.sh'],
  ['build.sh', 'bash ./build.sh'],
  ['build.sh', '. ./build.sh'],
  ['build.sh', 'cat build.sh | sh'],
  ['build.sh', 'cd . && sh -e build.sh'],
  ['tools/build.sh', 'cd tools; sh build.sh'],
  ['tools/lib.sh', 'f=tools/lib; . ./$f.sh'],
  ['deep/down/run.sh', 'sh "$(find . -name run.sh)"'],
  ['run.sh', 'sleep 0.3; sh run.sh'],
  ['run.sh', 'sh < run.sh'],
  ['run.sh', 'sh -c "$(cat run.sh)"'],
];

const WRITERS: readonly (readonly [name: string, call: (file: string) => Omit<Call, 'id'>])[] = [
  ['write_file', (file_path) => ({ name: 'write_file', input: { file_path, content: PLANTED } })],
  ['append_file', (file_path) => ({ name: 'append_file', input: { file_path, content: PLANTED } })],
  ['edit', (file_path) => ({ name: 'edit', input: { file_path, old_string: 'harmless', new_string: 'planted' } })],
];

/** Runs the message; edits are allowed by a rule, and the command after a while. Resolves with what was seen when. */
async function attack(file: string, command: string, writer: (file: string) => Omit<Call, 'id'>) {
  let whenAnswered = '';
  const it = messageCalls(async () => {
    // What the other calls do without waiting, they have done by then.
    await new Promise((resolve) => setTimeout(resolve, 50));
    whenAnswered = readFileSync(it.at(file), 'utf8');
    return yesOnce;
  });
  harness = it.harness;
  it.rules.kept.push(ruleOf({ kind: 'folder', class: 'write', path: it.workspace }));
  mkdirSync(dirname(it.at(file)), { recursive: true });
  writeFileSync(it.at(file), HARMLESS);
  await it.run({ id: 'run', name: 'bash', input: { command } }, { id: 'plant', ...writer(file) });
  const ran = it.result('run');
  await harness.dispose();
  harness = undefined;
  return { asked: it.user.asked.length, whenAnswered, ran, decisions: it.decisions(), it };
}

describe.each(RUN_BY)('%s, run by %s', (file, command) => {
  test.each(WRITERS)('is not changed by %s before it has run', async (_name, writer) => {
    const { asked, whenAnswered, ran, decisions } = await attack(file, command, writer);
    expect(asked).toBe(1);
    expect(whenAnswered).toBe(HARMLESS);
    expect(ran).toContain('harmless');
    expect(ran).not.toContain('planted');
    // The write is not lost, but comes afterwards.
    expect(decisions).toMatchObject({ plant: 'allow rule rules' });
  });
});

test('the control: before a command, the same rule lets the file be changed while nobody is asked', async () => {
  const it = messageCalls(() => yesOnce);
  harness = it.harness;
  it.rules.kept.push(ruleOf({ kind: 'folder', class: 'write', path: it.workspace }));
  writeFileSync(it.at('build.sh'), HARMLESS);
  await it.run(
    { id: 'plant', name: 'write_file', input: { file_path: 'build.sh', content: PLANTED } },
    { id: 'run', name: 'bash', input: { command: 'sh build.sh' } },
  );
  expect(it.result('run')).toContain('planted');
});

/** What a program does to the file while the question is open: another conversation, a background shell, a server. */
const PROGRAMS: readonly (readonly [what: string, change: (file: string) => void])[] = [
  ['overwrites it', (file) => writeFileSync(file, PLANTED)],
  ['adds to it', (file) => appendFileSync(file, PLANTED)],
  [
    'replaces it by one of the same size and time',
    (file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}.new`, PLANTED.padEnd(HARMLESS.length).slice(0, HARMLESS.length));
      utimesSync(`${file}.new`, atime, mtime);
      renameSync(`${file}.new`, file);
    },
  ],
  [
    'makes a link of it',
    (file) => {
      writeFileSync(`${file}.new`, PLANTED);
      rmSync(file);
      symlinkSync(`${file}.new`, file);
    },
  ],
];
const NAMED_BY = RUN_BY.filter(([file]) => !/\/(?:lib|down)/.test(file));

describe.each(NAMED_BY)('%s, which %s names', (file, command) => {
  test.each(PROGRAMS)('is asked about anew when a program %s', async (_what, change) => {
    const it = messageCalls((_request, asked) => {
      if (asked === 1) change(it.at(file));
      return asked === 1 ? yesOnce : no;
    });
    harness = it.harness;
    mkdirSync(dirname(it.at(file)), { recursive: true });
    writeFileSync(it.at(file), HARMLESS);
    await it.run({ id: 'run', name: 'bash', input: { command } });
    expect(it.user.asked).toMatchObject([{}, { reason: { code: 'changed_while_asked' } }]);
    expect(it.decisions()).toMatchObject({ run: 'deny user declined' });
  });
});

test('so it is when a command that a rule allows writes it, and not when nothing has changed', async () => {
  const it = messageCalls(async (_request, asked) => {
    if (asked > 1) return no;
    await vi.waitFor(() => expect(readFileSync(it.at('build.sh'), 'utf8')).toBe(PLANTED), SOON);
    return yesOnce;
  });
  harness = it.harness;
  const matcher = { kind: 'exact-command', line: 'sh generate.sh', directory: it.workspace } as const;
  it.rules.kept.push(ruleOf(matcher));
  writeFileSync(it.at('build.sh'), HARMLESS);
  writeFileSync(it.at('generate.sh'), `printf '${PLANTED.replace('\n', '\\n')}' > build.sh\n`);
  await it.run(
    { id: 'run', name: 'bash', input: { command: 'sh build.sh' } },
    { id: 'generate', name: 'bash', input: { command: 'sh generate.sh' } },
  );
  expect(it.decisions()).toMatchObject({ run: 'deny user declined', generate: 'allow rule rules' });
});

/** The user answers as told; while the first question is open, another conversation makes these calls. */
function besideAnother(calls: readonly Call[], answering: (asked: number) => ConsentAnswer, more?: More) {
  const it = messageCalls(
    async (_request, asked) => {
      if (asked === 1) await it.runElsewhere(...calls);
      return answering(asked);
    },
    true,
    more,
  );
  harness = it.harness;
  mkdirSync(it.at('lib'));
  writeFileSync(it.at('lib/x.sh'), HARMLESS);
  writeFileSync(it.at('build.sh'), '. lib/x.sh\n');
  writeFileSync(it.at('Makefile'), 'all:\n\tsh lib/x.sh\n');
  return it;
}
type More = Parameters<typeof messageCalls>[2];

const thenNo = (asked: number) => (asked === 1 ? yesOnce : no);

/** Each runs `lib/x.sh` without naming it. */
const RUN_UNNAMED = [
  'sh build.sh',
  'make',
  'sh -c ". lib/*.sh"',
  'cat lib/?.sh | sh',
  'find . -path "./lib/*" -exec sh {} +',
];

describe.each(RUN_UNNAMED)('what %s runs without naming it', (command) => {
  test.each(WRITERS)('is asked about anew when %s of another conversation changes it', async (_name, writer) => {
    const it = besideAnother([{ id: 'plant', ...writer('lib/x.sh') }], thenNo);
    it.rules.kept.push(ruleOf({ kind: 'folder', class: 'write', path: it.workspace }));
    await it.run({ id: 'run', name: 'bash', input: { command } });
    expect(readFileSync(it.at('lib/x.sh'), 'utf8')).toContain('planted');
    expect(it.user.asked).toMatchObject([{}, { reason: { code: 'changed_while_asked' } }]);
    expect(it.decisions()).toMatchObject({ plant: 'allow rule rules', run: 'deny user declined' });
  });
});

test('the control: another conversation that changes nothing', async () => {
  const it = besideAnother([{ id: 'other', name: 'read_file', input: { file_path: 'lib/x.sh' } }], () => yesOnce);
  await it.run({ id: 'run', name: 'bash', input: { command: 'sh build.sh' } });
  expect(it.user.asked).toHaveLength(1);
  expect(it.result('run')).toContain('harmless');
});

test('a change that the user saw and allowed meanwhile is no reason to ask again', async () => {
  const plant = { id: 'plant', name: 'write_file', input: { file_path: 'lib/x.sh', content: PLANTED } };
  const it = besideAnother([plant], () => yesOnce);
  await it.run({ id: 'run', name: 'bash', input: { command: 'sh build.sh' } });
  expect(it.user.asked).toHaveLength(2);
  expect(it.result('run')).toContain('planted');
});

describe('under a grant to work freely', () => {
  beforeEach((context) => needSandbox(context));

  const withSandbox = ({ base, environment: { files, sandbox } }: ToolHarness) => {
    const leases = leasesIn(join(base, 'profile'));
    const kept = { limits: () => KEPT_LIMITS, heldByGit: nothingHeld, leases, maxWaitMs: 60_000 };
    const checkpoints = new Checkpoints(join(base, 'profile'), kept);
    onTestFinished(() => {
      checkpoints.close();
      leases.close();
    });
    return { checkpoints, holdsCommands: () => sandbox.canHold(files.realRoots) };
  };
  const free = (path: string) => ruleOf({ kind: 'work-freely', path });
  const outside = (command: string) => ({ name: 'bash', input: { command, sandbox: 'off', reason: 'It needs that.' } });

  test.each([
    ['an edit', { name: 'write_file', input: { file_path: 'lib/x.sh', content: PLANTED } }],
    ['a command', { name: 'bash', input: { command: 'echo echo planted > lib/x.sh' } }],
  ])('%s of another conversation has the question asked anew', async (_what, plant) => {
    const it = besideAnother([{ id: 'plant', ...plant }], thenNo, withSandbox);
    it.rules.kept.push(free(it.workspace));
    await it.run({ id: 'run', ...outside('sh build.sh') });
    expect(it.user.asked).toMatchObject([{}, { reason: { code: 'changed_while_asked' } }]);
    expect(it.decisions()).toMatchObject({ plant: 'allow grant rules', run: 'deny user declined' });
  });

  test('so does one of the same message that goes on when the question is answered', async () => {
    const it = messageCalls(
      async (_request, asked) => {
        await vi.waitFor(() => expect(existsSync(it.at('begun'))).toBe(true), SOON);
        writeFileSync(it.at('answered'), '');
        return thenNo(asked);
      },
      true,
      withSandbox,
    );
    harness = it.harness;
    it.rules.kept.push(free(it.workspace));
    writeFileSync(it.at('build.sh'), '. ./lib.sh\n');
    writeFileSync(it.at('lib.sh'), HARMLESS);
    const command = 'echo > begun; until [ -e answered ]; do sleep 0.1; done; echo echo planted > lib.sh';
    await it.run({ id: 'run', ...outside('sh build.sh') }, { id: 'plant', name: 'bash', input: { command } });
    expect(readFileSync(it.at('lib.sh'), 'utf8')).toBe(PLANTED);
    expect(it.decisions()).toMatchObject({ plant: 'allow grant rules', run: 'deny user declined' });
  });

  test('a question that waits for such a command ends with Stop', async () => {
    const it = messageCalls(() => yesOnce, true, withSandbox);
    harness = it.harness;
    it.rules.kept.push(free(it.workspace));
    const going = it.runElsewhere({ id: 'going', name: 'bash', input: { command: 'echo > begun; sleep 60' } });
    await vi.waitFor(() => expect(existsSync(it.at('begun'))).toBe(true), SOON);
    const asked = it.run({ id: 'run', ...outside('echo ran') });
    it.stop.abort(new Error('stopped'));
    await Promise.all([going, asked]);
    expect(it.decisions()).toMatchObject({ run: 'deny default stopped' });
  });

  test('the control: a command of the grant that changes nothing', async () => {
    const it = besideAnother(
      [{ id: 'other', name: 'bash', input: { command: 'sh lib/x.sh' } }],
      () => yesOnce,
      withSandbox,
    );
    it.rules.kept.push(free(it.workspace));
    await it.run({ id: 'run', ...outside('sh build.sh') });
    expect(it.user.asked).toHaveLength(1);
    expect(it.result('run')).toContain('harmless');
  });
});

test('a command that is declined holds nothing up', async () => {
  const it = messageCalls(() => no);
  harness = it.harness;
  it.rules.kept.push(ruleOf({ kind: 'folder', class: 'write', path: it.workspace }));
  await it.run(
    { id: 'run', name: 'bash', input: { command: 'sh build.sh' } },
    { id: 'plant', name: 'write_file', input: { file_path: 'build.sh', content: PLANTED } },
  );
  expect(it.decisions()).toMatchObject({ plant: 'allow rule rules' });
  expect(readFileSync(it.at('build.sh'), 'utf8')).toBe(PLANTED);
});

test('in generated messages, no file has changed by the time a command is answered or runs', async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...WRITERS.map(([, call]) => call)),
      fc.constantFrom('sh', 'bash', '.', 'exec sh', 'env sh', 'command sh', 'sh -x'),
      async (folders, writer, shell) => {
        const file = `./${folders.join('/')}.sh`;
        const { whenAnswered, ran } = await attack(file, `${shell} ${file}`, writer);
        expect(whenAnswered).toBe(HARMLESS);
        expect(ran).toContain('harmless');
        expect(ran).not.toContain('planted');
      },
    ),
    { numRuns: 15 },
  );
});
