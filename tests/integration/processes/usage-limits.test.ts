import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import type { UsageLimits } from '../../../src-main/processes/usage-limits.ts';
import { needLinux, needPosix } from '../../fixtures/machine-needs.ts';
import { processPorts } from '../../fixtures/process-ports.ts';

const MEBIBYTE = 1024 * 1024;
const TIGHT: UsageLimits = { memoryBytes: 64 * MEBIBYTE, temporaryBytes: 50 * MEBIBYTE, timeMs: 60_000 };
/** What grows by doubling, or is written at full speed, is a few times the limit before it is noticed. */
const AT_MOST = 8;

let runner: ProcessRunner;
beforeEach((context) => {
  needPosix(context);
  // Others on this machine make such folders too.
  const folder = mkdtempSync(join(tmpdir(), 'steward-limits-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  runner = new ProcessRunner(processPorts);
});

const never = new AbortController().signal;
const run = (
  script: string,
  limits: UsageLimits | null = TIGHT,
  timeoutMs = 60_000,
  signal = never,
  folder = tmpdir(),
) =>
  runner.run({
    command: 'bash',
    args: ['-c', script],
    line: script,
    directory: folder,
    signal,
    timeoutMs,
    ...(limits === null ? {} : { limits }),
  });

/** Prints the length whenever it has doubled. */
const GROWS = `awk 'BEGIN { for (s = "x"; ; s = s s) { print length(s); fflush() } }'`;
/** Keeps a text of at least this size. */
const holds = (size: number) =>
  `awk 'BEGIN { for (s = "x"; length(s) < ${size}; s = s s); print length(s); fflush(); system("sleep 60") }'`;
const lastNumber = (text: string) => Number(text.trim().split('\n').at(-1));

describe('a call that passes a limit is ended with everything it started', () => {
  test.each([
    ['a program', GROWS],
    ['one of a pipeline', `${GROWS} | cat`],
    ['one in the background', `${GROWS} & wait`],
    ['one in a session of its own', `setsid -w ${GROWS}`],
    ['one that ignores SIGTERM', `trap '' TERM; ${GROWS}`],
  ])('memory: %s', async (_, script) => {
    const { ending, stdout, leftRunning } = await run(script);
    expect(ending).toBe('over-memory');
    expect(lastNumber(stdout)).toBeLessThan(AT_MOST * TIGHT.memoryBytes);
    expect(leftRunning).toBeUndefined();
  });

  test('memory of many programs, none of which has much', async () => {
    const { ending } = await run(`${Array.from({ length: 12 }, () => holds(8_000_000)).join(' & ')} & wait`);
    expect(ending).toBe('over-memory');
  });

  test.each([
    ['one file', 'head -c 60M /dev/zero > "$TMPDIR/file"; sleep 60'],
    ['many files', 'for n in $(seq 100000); do head -c 1M /dev/zero > "$TMPDIR/$n"; done'],
    [
      'files in folders',
      'for n in $(seq 100000); do mkdir "$TMPDIR/$n"; head -c 1M /dev/zero > "$TMPDIR/$n/file"; done',
    ],
    ['what sort puts there', 'yes "$(head -c 100000 /dev/zero | tr "\\0" x)" | sort -S 5M'],
  ])('temporary files: %s', async (_, script) => {
    expect((await run(script)).ending).toBe('over-temporary-files');
  });

  test('temporary files without a name', async (context) => {
    needLinux(context, 'only /proc tells of them; elsewhere the limit of each file holds');
    const { ending } = await run('exec 3> "$TMPDIR/file"; rm "$TMPDIR/file"; head -c 60M /dev/zero >&3; sleep 60');
    expect(ending).toBe('over-temporary-files');
  });

  test('time, if the time limit of the call is longer', async () => {
    expect((await run('sleep 60', { ...TIGHT, timeMs: 200 })).ending).toBe('over-time');
    expect((await run('sleep 60', TIGHT, 200)).ending).toBe('timed-out');
  });

  test('calls of the same limits share them, and the largest ends', async () => {
    const stop = new AbortController();
    const small = run(holds(16_000_000), TIGHT, 60_000, stop.signal);
    const large = await run(holds(50_000_000));
    stop.abort();
    expect([large.ending, (await small).ending]).toEqual(['over-memory', 'aborted']);
    const others = { ...TIGHT };
    const alone = await Promise.all([run(`${holds(16_000_000)}`, TIGHT, 2_000), run(holds(16_000_000), others, 2_000)]);
    expect(alone.map(({ ending }) => ending)).toEqual(['timed-out', 'timed-out']);
  });
});

describe('what is no file of the call', () => {
  test('a file that it only reads, and that was replaced meanwhile', async (context) => {
    needLinux(context, 'only /proc tells of them');
    const log = join(tmpdir(), 'log');
    const { ending } = await run(`head -c 60M /dev/zero > ${log}; exec 3< ${log}; rm ${log}; sleep 0.5`);
    expect(ending).toBe('exited');
  });

  test('what a link in its folder leads to', async () => {
    const other = join(tmpdir(), 'other');
    mkdirSync(other);
    const { ending } = await run(`head -c 60M /dev/zero > ${other}/file; ln -s ${other} "$TMPDIR/link"; sleep 0.5`);
    expect(ending).toBe('exited');
  });
});

describe('what no limit is for', () => {
  test.each([
    [
      'space that is only reserved',
      'node -e "new WebAssembly.Memory({ initial: 1, maximum: 65536 }); setTimeout(() => 0, 400)"',
    ],
    ['output', 'yes | head -c 100M'],
  ])('%s', async (_, script) => {
    const { ending } = await run(script, { ...TIGHT, memoryBytes: 200 * MEBIBYTE });
    expect(ending).toBe('exited');
  });

  test('the control: a call without limits has the memory and the temporary folder that it wants', async () => {
    const { ending, stdout } = await run(
      `awk 'BEGIN { for (s = "x"; length(s) < 100000000; s = s s); print length(s) }'; echo "$TMPDIR"`,
      null,
    );
    expect(ending).toBe('exited');
    expect(stdout).toContain(`${2 ** 27}`);
    expect(stdout).not.toContain('steward-run-');
  });
});

describe('the temporary folder', () => {
  const PRINT = 'echo "$TMPDIR"; echo x > "$TMPDIR/file"; mkdir -p "$TMPDIR/a/b"; ls -ld "$TMPDIR"';

  test.each([
    ['ends', PRINT],
    ['fails', `${PRINT}; exit 3`],
    ['kills itself', `${PRINT}; kill -9 $$`],
    ['takes too long', `${PRINT}; sleep 60`],
    ['passes a limit', `${PRINT}; ${GROWS}`],
    ['locks it', `${PRINT}; chmod 0 "$TMPDIR"`],
  ])('is removed if the call %s', async (_, script) => {
    const { stdout } = await run(script, TIGHT, script.includes('sleep') ? 500 : 60_000);
    const [folder = ''] = stdout.split('\n');
    expect(folder).toContain(`${tmpdir()}/steward-run-`);
    expect(stdout).toContain('drwx------');
    expect(existsSync(folder)).toBe(false);
  });

  test('is left out where none can be made, and the call runs', async () => {
    vi.stubEnv('TMPDIR', '/no-such-folder');
    const { ending, stdout, stderr } = await run('echo "$TMPDIR"; echo x > "$TMPDIR/file"', TIGHT, 60_000, never, '/');
    expect([ending, stdout]).toEqual(['exited', '/nonexistent\n']);
    expect(stderr).toContain('/nonexistent/file');
  });

  test('of a Steward that was killed is removed, and nothing else of that name', async () => {
    vi.resetModules();
    const { makeTemporaryFolder } = await import('../../../src-main/processes/temporary-folder.ts');
    const inside = (name: string) => join(tmpdir(), name);
    const old = new Date(Date.now() - 48 * 3_600_000);
    for (const name of ['steward-run-old', 'steward-run-new', 'another']) {
      mkdirSync(inside(name));
      writeFileSync(join(inside(name), 'file'), 'x');
      if (name !== 'steward-run-new') utimesSync(inside(name), old, old);
    }
    symlinkSync('steward-run-loop', inside('steward-run-loop'));
    symlinkSync('another', inside('steward-run-link'));
    const own = await makeTemporaryFolder();
    await expect.poll(() => existsSync(inside('steward-run-old'))).toBe(false);
    const left = ['another', 'steward-run-link', 'steward-run-loop', 'steward-run-new'];
    expect(readdirSync(tmpdir()).filter((name) => inside(name) !== own)).toEqual(left);
    expect(existsSync(join(inside('another'), 'file'))).toBe(true);
  });

  test('is removed if the program can’t be started', async () => {
    await expect(
      runner.run({
        command: 'true',
        args: [],
        directory: `${tmpdir()}/no-such-folder`,
        signal: never,
        limits: TIGHT,
      }),
    ).rejects.toThrow('ENOENT');
    expect(readdirSync(tmpdir())).toEqual([]);
  });
});

test('the words of the program arrive as they are, and the system holds what it can', async () => {
  const words = ['-c', '', "it's", '$HOME `x` *', '--', 'ä\n'];
  const { stdout } = await runner.run({
    command: 'printf',
    args: ['%s|', ...words],
    directory: tmpdir(),
    signal: never,
    limits: TIGHT,
  });
  expect(stdout).toBe(words.map((word) => `${word}|`).join(''));
  const kibibytes = (2 * TIGHT.temporaryBytes) / 1024;
  expect((await run('ulimit -Hc; ulimit -Hf')).stdout).toBe(`0\n${kibibytes}\n`);
});
