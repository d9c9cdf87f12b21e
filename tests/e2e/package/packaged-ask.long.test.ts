import { readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { version } from '../../../package.json';
import { UNPRIVILEGED_USER } from '../../../scripts/open-place.mjs';
import { type AskRig, type AskRigOptions, askRig, eventsOf } from '../../fixtures/ask.ts';
import { answeredAtTerminal } from '../../fixtures/ask-at-terminal.ts';
import { needElectron } from '../../fixtures/electron-app.ts';
import { giveToUser } from '../../fixtures/electron-machine.ts';
import { needLinux, needTerminal } from '../../fixtures/machine-needs.ts';
import { packagedCopy } from '../../fixtures/packaged-app.ts';
import { runningProcesses } from '../../fixtures/process-table.ts';

const WITHOUT_DISPLAY = {};
const DROPPED = ['setpriv', `--reuid=${UNPRIVILEGED_USER}`, `--regid=${UNPRIVILEGED_USER}`, '--clear-groups'] as const;

interface Installed extends AskRig {
  /** The program itself, without its launcher. */
  readonly executable: string;
  /** The environment of the window's machine. */
  readonly display: Readonly<Record<string, string>>;
}

/** `steward ask` of a packaged copy, as the launcher in the PATH starts it; as a user without root's rights. */
async function installed(context: TestContext, options: AskRigOptions & { readonly asRoot?: boolean } = {}) {
  needLinux(context, 'elsewhere the program and its resources have other places');
  const machine = needElectron(context);
  const { folder } = await packagedCopy();
  const isDropped = process.getuid?.() === 0 && options.asRoot !== true;
  const launcher = [join(folder, 'resources', 'bin', 'steward'), 'ask'] as const;
  const rig = askRig({ ...options, program: isDropped ? [...DROPPED, '--', ...launcher] : launcher });
  if (isDropped) giveToUser(dirname(rig.profile), { userId: UNPRIVILEGED_USER });
  return { ...rig, executable: join(folder, 'steward'), display: machine.displayEnvironment } satisfies Installed;
}

/**
 * The names without the files that the last process to close a database may leave beside it, which depends on the
 * version of SQLite.
 */
function namesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => !/-(?:shm|wal)$/.test(name));
  return names.map((name) => name.replace(/^workspace-.*/, 'workspace')).sort();
}

/** Ids and times differ between two runs. */
function comparable({ events }: Awaited<ReturnType<AskRig['events']>>): string {
  return JSON.stringify(events).replace(/"conversationId":"[^"]+"|user_[0-9a-f]{32}/g, '');
}

test('ask of the packaged app does what ask from source does, with and without a display', async (context) => {
  const files = { 'a.txt': 'alpha', 'b.txt': 'beta' };
  const source = askRig({ files });
  const packaged = await installed(context, { files });
  const prompts = ['read a.txt', 'what do you do?', '/read_file {"path":"b.txt"}', '/help', '/nothing', 'run: touch c'];
  for (const prompt of prompts) {
    const expected = await source.events([prompt]);
    for (const env of [WITHOUT_DISPLAY, packaged.display]) {
      const run = await packaged.events([prompt], { env });
      expect([run.code, run.stderr], prompt).toEqual([expected.code, expected.stderr]);
      expect(comparable(run), prompt).toBe(comparable(expected));
    }
    // The plain output, without --json.
    const [plain, packagedPlain] = [await source.run([prompt]), await packaged.run([prompt])];
    expect(packagedPlain.stdout).toBe(plain.stdout);
    expect(packagedPlain.stderr).toBe(plain.stderr.replaceAll('npm run --silent ask --', 'steward ask'));
  }
  // Chromium leaves nothing in the user's folder, nor in the profile.
  for (const folder of [(rig: AskRig) => rig.profile, (rig: AskRig) => dirname(rig.profile)])
    expect(namesIn(folder(packaged))).toEqual(namesIn(folder(source)));
}, 480_000);

test('it reads its prompt from standard input, 5 MB too, and starts the bundled server', async (context) => {
  const packaged = await installed(context);
  const text = `read me: ${'long '.repeat(1_000_000)}`;
  const piped = await packaged.events(['-'], { stdin: text });
  expect([piped.code, piped.stderr, piped.events.at(-1)]).toEqual([0, '', { type: 'done', stopReason: 'end_turn' }]);
  const { code, stdout } = await packaged.run(['/system-info__system_info {}']);
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'System Information']);
  // The server ended with it.
  expect(runningProcesses().filter(({ command }) => command.includes(dirname(packaged.executable)))).toEqual([]);
}, 240_000);

test('Ctrl-C stops the turn, and the exit code says so', async (context) => {
  const packaged = await installed(context);
  const child = await packaged.start(['--json', '--approve', 'all', 'run: sleep 300']);
  const code = new Promise((resolve) => child.once('close', resolve));
  const types: string[] = [];
  for await (const event of eventsOf(child)) {
    types.push(event.type === 'done' ? `done: ${event.stopReason}` : event.type);
    // The signal goes to the launcher's process, which the program has replaced.
    if (event.type === 'decision') child.kill('SIGINT');
  }
  expect([types.at(-1), await code]).toEqual(['done: interrupted', 130]);
}, 120_000);

test('it asks at the terminal', async (context) => {
  needTerminal(context);
  const packaged = await installed(context);
  const screen = await answeredAtTerminal(packaged, ['run: touch made'], 'y');
  expect(screen).toContain('Your answer: ');
  expect(readdirSync(packaged.workspace)).toEqual(['made']);
}, 120_000);

test('it also works as root, for whom Chromium does not start its sandbox', async (context) => {
  const packaged = await installed(context, { asRoot: true });
  const { code, stderr } = await packaged.run(['what do you do?']);
  expect([code, stderr]).toEqual([0, '']);
}, 120_000);

test('help and version', async (context) => {
  const { executable, ...packaged } = await installed(context);
  const launcher = join(dirname(executable), 'resources', 'bin', 'steward');
  const run = (...args: string[]) => askRig({ program: ['sh', '-c', '"$0" "$1"', launcher, ...args] }).run([]);
  expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  for (const option of ['--help', '-h']) {
    const { code, stdout, stderr } = await run(option);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: steward \[options]/);
  }
  const { stdout } = await packaged.run(['--help']);
  expect(stdout).toMatch(/^Usage: steward ask \[options]/);
}, 120_000);

/** What Chromium or Node would take from a command line. */
const DEBUGGERS = [
  '--remote-debugging-port=PORT',
  '-remote-debugging-port=PORT',
  '--inspect=PORT',
  '--inspect-brk=PORT',
];
/** Chromium takes this for a switch too, and `ask` for text. */
const HIDDEN = ' --remote-debugging-port=PORT';

test('no argument and no variable makes ask open a debugger', async (context) => {
  const packaged = await installed(context);
  const port = await freePort();
  const [launcher, ...before] = await packaged.program();
  const direct = [packaged.executable, '--no-sandbox', 'ask'] as const;
  for (const debuggers of DEBUGGERS) {
    const argument = debuggers.replace('PORT', String(port));
    for (const program of [direct, [launcher, ...before] as const]) {
      const { code, stderr } = await askRig({ program }).run([argument, 'run: sleep 1', '--approve', 'all']);
      expect([code, stderr.includes('istening')], argument).toEqual([2, false]);
    }
  }
  const hidden = HIDDEN.replace('PORT', String(port));
  const { code, stderr } = await askRig({ program: direct }).run([hidden]);
  expect(code).toBe(2);
  expect(stderr).toContain('Chromium would take --remote-debugging-port for a switch');

  // Behind the launcher it is text; while a command runs, nothing listens.
  const env = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--inspect=${port}` };
  const child = await packaged.start(['--json', '--approve', 'all', 'run: sleep 300', hidden], { env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  for await (const event of eventsOf(child)) {
    if (event.type !== 'decision') continue;
    expect(await isHeard(port)).toBe(false);
    child.kill('SIGINT');
  }
  expect(await ended).toBe(130);
}, 240_000);

function isHeard(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
