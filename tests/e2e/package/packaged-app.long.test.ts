import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AppRig, type LaunchOptions, needElectron } from '../../fixtures/electron-app.ts';
import { environmentIn } from '../../fixtures/electron-machine.ts';
import { packagedProgram } from '../../fixtures/packaged-app.ts';
import { SOON, UserAtPackage } from '../../fixtures/user-at-package.ts';

/** Answers that come sooner after a question appeared do not count. */
const AFTER_APPEARING = { timeout: 60_000, interval: 800 };

test('the packaged app: first run, a message, a command with a question, quit, second start', async (context) => {
  const user = await UserAtPackage.sitsDown(context);
  const { rig } = user;
  const first = await user.starts();
  await user.seesButton();
  // The class is the one in the desktop entry (StartupWMClass). Without it, a desktop shows the window apart from the
  // icon that started it.
  user.needsWindowOfClass('steward');
  expect(() => user.needsWindowOfClass('electron')).toThrow();
  user.shoots('package-first-run');
  user.presses('Tab', 'Tab', 'Return');
  await vi.waitFor(() => {
    const { isFirstRunFinished } = JSON.parse(readFileSync(join(rig.profile, 'window.json'), 'utf8'));
    expect(isFirstRunFinished).toBe(true);
  }, SOON);

  await user.says('what time is it');
  expect(await user.turnsEnded(1)).toEqual(['end_turn']);
  user.shoots('package-answer');

  await user.says('run: touch made-by-steward');
  await vi.waitFor(
    () => expect(user.events().some(({ type, name }) => type === 'tool_call' && name !== 'get_time')).toBe(true),
    SOON,
  );
  expect(existsSync(join(rig.workspace, 'made-by-steward'))).toBe(false);
  await user.seesButton();
  user.shoots('package-question');
  await vi.waitFor(async () => {
    await user.clicksButton();
    await vi.waitFor(() => expect(existsSync(join(rig.workspace, 'made-by-steward'))).toBe(true), { timeout: 10_000 });
  }, AFTER_APPEARING);
  expect(await user.turnsEnded(2)).toEqual(['end_turn', 'end_turn']);
  expect(user.events()).toContainEqual(expect.objectContaining({ type: 'decision', answer: 'allow', by: 'user' }));
  expect(await user.quits(first)).toBe(0);

  const second = await user.starts();
  await user.says('what is the date');
  expect(await user.turnsEnded(3)).toEqual(['end_turn', 'end_turn', 'end_turn']);
  user.shoots('package-second-start');
  expect(await user.quits(second)).toBe(0);
}, 480_000);

/** Switches of debuggers, of programs around a process, and for other folders. The table has its own test. */
const REFUSED = [
  '--remote-debugging-port=0',
  '--inspect=0',
  '--renderer-cmd-prefix=/bin/false',
  '--user-data-dir=elsewhere',
];

test('the packaged app does not start with a debugger or the like: a box says why', async (context) => {
  const user = await UserAtPackage.sitsDown(context);
  for (const argument of REFUSED) {
    const app = await user.starts({ args: [argument] });
    await vi.waitFor(() => expect(app.printed).toContain(`started with ${argument.split('=')[0]}.`), SOON);
    user.shoots('package-refused-switch');
    user.presses('Escape');
    expect(await app.ended, argument).toBe(2);
  }
  for (const profile of [user.rig.profile, join(user.rig.home, '.config', 'Steward')])
    expect(existsSync(profile), profile).toBe(false);
}, 480_000);

test('it starts with switches that fit the window to a display, and without certificate checks it does not run', async (context) => {
  const user = await UserAtPackage.sitsDown(context, {});
  const args = ['--disable-gpu', '--force-device-scale-factor=1', '--lang=en-GB', '--class=steward'];
  const app = await user.starts({ args, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  await user.says('what time is it');
  expect(await user.turnsEnded(1)).toEqual(['end_turn']);
  expect(app.printed).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored');
  expect(await user.quits(app)).toBe(0);
});

test.for<Required<LaunchOptions> & { readonly picture: string }>([
  { args: ['--no-sandbox'], env: {}, picture: 'switch' },
  { args: [], env: { ELECTRON_DISABLE_SANDBOX: '1' }, picture: 'variable' },
  // The switch is what an AppImage adds where users may not create namespaces.
  { args: ['--no-sandbox'], env: { APPIMAGE: '/home/person/Steward.AppImage' }, picture: 'appimage' },
])('the packaged app does not start without the sandbox: $args $env', async ({ args, env, picture }, context) => {
  const user = await UserAtPackage.sitsDown(context);
  const app = await user.starts({ args, env });
  await vi.waitFor(() => expect(app.printed).toMatch(/sandbox.* is switched off \(--no-sandbox\)/), SOON);
  await user.seesButton({ width: 40, height: 30 });
  user.shoots(`package-no-sandbox-${picture}`);
  user.presses('Return');
  expect(await app.ended).toBe(2);
  expect(existsSync(join(user.rig.profile, 'steward.db'))).toBe(false);
});

test('the packaged app runs no code of others: neither as Node nor with NODE_OPTIONS', async (context) => {
  const machine = needElectron(context);
  const rig = new AppRig(context, {});
  const intruder = join(rig.home, 'intruder.cjs');
  const trace = join(rig.home, 'ran');
  rig.write(intruder, `require('fs').writeFileSync(${JSON.stringify(trace)}, '')`);
  const env = { ...environmentIn(rig.home, machine), ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${intruder}` };
  const program = await packagedProgram();
  const run = (executable: string) => spawnSync(executable, [intruder], { env, timeout: 20_000 });
  run(machine.executable);
  expect(existsSync(trace)).toBe(true);
  rmSync(trace);
  run(program);
  expect(existsSync(trace)).toBe(false);
});
