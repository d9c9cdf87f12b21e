import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { needLinux, needOrdinaryUser, needSystemPackages } from '../../fixtures/machine-needs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START = join(ROOT, 'scripts', 'start.mjs');
const CHATTER = '[77:1124/202425.123456:ERROR:dbus/bus.cc(408)] Failed to connect to the bus: Unknown address type';

/** Takes the place of Electron. It says where it was started and what it got, and ends as the app does on a signal. */
const PROGRAM = `
const { writeFileSync } = require('node:fs');
const { DISPLAY, XAUTHORITY } = process.env;
writeFileSync(process.env.STEWARD_TEST_STARTED, JSON.stringify({ pid: process.pid, display: DISPLAY, authority: XAUTHORITY }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0));
process.stderr.write(${JSON.stringify(`${CHATTER}\n`)} + 'The working folder is used.\\n');
setInterval(() => undefined, 1000);
`;

interface Started {
  readonly pid: number;
  readonly display: string;
  readonly authority: string;
}

async function fakeElectron(context: TestContext) {
  needLinux(context, 'other systems always have a display');
  const folder = await mkdtemp(join(tmpdir(), 'steward-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'program.cjs'), PROGRAM);
  await writeFile(join(folder, 'electron'), `#!/bin/sh\nexec '${process.execPath}' '${folder}/program.cjs'\n`);
  await chmod(join(folder, 'electron'), 0o755);
  const started = join(folder, 'started.json');
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ELECTRON_ENABLE_LOGGING: _logging, ...rest } = process.env;
  const env = { ...rest, HOME: folder, ELECTRON_OVERRIDE_DIST_PATH: folder, STEWARD_TEST_STARTED: started };
  const whenStarted = async (): Promise<Started> => {
    await expect.poll(() => readFile(started, 'utf8').catch(() => '')).toMatch(/\}$/);
    return JSON.parse(await readFile(started, 'utf8'));
  };
  return { folder, env, whenStarted };
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv, uid?: number) {
  const child = spawn(program, args, { cwd: ROOT, env, uid, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return { child, closed: once(child, 'close'), said: () => said };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Nothing of it runs any more, its screen included. */
async function expectAllEnded({ pid, authority }: Started): Promise<void> {
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect.poll(() => readFile(authority).catch(() => 'gone')).toBe('gone');
}

test('without a display it says where the window is and how to look at it, and keeps chatter to itself', async (context) => {
  const { env, whenStarted } = await fakeElectron(context);
  needSystemPackages(context, 'xvfb');
  const start = run(process.execPath, [START], env);
  const started = await whenStarted();
  await expect.poll(start.said).toContain('The working folder is used.');
  start.child.kill('SIGTERM');
  await start.closed;
  expect(start.said()).toBe(
    [
      `There is no display, so the window opens on a virtual screen: DISPLAY=${started.display} XAUTHORITY=${started.authority}`,
      `To look at it: install x11vnc, run x11vnc -localhost -display ${started.display} -auth ${started.authority}, and open localhost:5900 in a VNC viewer.`,
      'Ctrl-C ends it.',
      'The working folder is used.',
      '',
    ].join('\n'),
  );
  await expectAllEnded(started);
});

test('chatter is shown if ELECTRON_ENABLE_LOGGING asks for it', async (context) => {
  const { env, whenStarted } = await fakeElectron(context);
  const start = run(process.execPath, [START], { ...env, DISPLAY: ':99', ELECTRON_ENABLE_LOGGING: '1' });
  await whenStarted();
  await expect.poll(start.said).toBe(`${CHATTER}\nThe working folder is used.\n`);
  start.child.kill('SIGTERM');
  await start.closed;
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends the app and its screen', async (signal, context) => {
  const { env, whenStarted } = await fakeElectron(context);
  needSystemPackages(context, 'xvfb');
  const start = run(process.execPath, [START], env);
  const started = await whenStarted();
  start.child.kill(signal);
  expect(await start.closed).toEqual([0, null]);
  await expectAllEnded(started);
});

/** A shell that waits for its command and passes no signal on, as some do. */
async function waitingShell(folder: string): Promise<string> {
  const shell = join(folder, 'waiting-shell');
  await writeFile(shell, '#!/bin/sh\nsh "$@"\nexit $?\n', { mode: 0o755 });
  return shell;
}

test('when only npm gets the signal, the app and its screen end too', async (context) => {
  const { folder, env, whenStarted } = await fakeElectron(context);
  needSystemPackages(context, 'xvfb');
  const npm = run('npm', ['start'], { ...env, npm_config_script_shell: await waitingShell(folder) });
  const started = await whenStarted();
  npm.child.kill('SIGTERM');
  await expectAllEnded(started);
  await npm.closed;
});

test('a normal user without Xvfb gets one line that brings what is missing, and the way without a window', async (context) => {
  const { env } = await fakeElectron(context);
  const { uid } = needOrdinaryUser(context);
  const start = run(process.execPath, [START], { ...env, PATH: '' }, uid);
  const [code] = await start.closed;
  expect({ code, said: start.said() }).toEqual({
    code: 1,
    said: [
      'xvfb is missing, for a screen without a display.',
      'To install all of it, as root on Debian or Ubuntu: apt-get update && apt-get install --yes --no-install-recommends xvfb',
      'Without a window: npm run --silent ask -- "your question"',
      '',
    ].join('\n'),
  });
});
