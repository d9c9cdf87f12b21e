import { expect, test } from 'vitest';
import { electronCommand } from '../../scripts/electron-command.mjs';

const electron = { executable: '/cache/electron', isEvaluation: false };
const user = { electron, entry: '/app', args: [], env: { DISPLAY: ':0' }, platform: 'linux', isRoot: false };

test('arguments after -- are passed to the app unchanged, after its entry', () => {
  const args = ['--profile', '/a b', '--', '-x'];
  expect(electronCommand({ ...user, args })).toMatchObject({
    program: '/cache/electron',
    args: ['/app', '--profile', '/a b', '--', '-x'],
  });
});

test('the sandbox is disabled only for root on Linux', () => {
  expect(electronCommand({ ...user, isRoot: true }).args).toEqual(['--no-sandbox', '/app']);
  expect(electronCommand(user).args).not.toContain('--no-sandbox');
  expect(electronCommand({ ...user, isRoot: true, platform: 'darwin' }).args).not.toContain('--no-sandbox');
});

test('a terminal inside an Electron app does not turn Electron into plain Node', () => {
  expect(electronCommand({ ...user, env: { ELECTRON_RUN_AS_NODE: '1', HOME: '/h' } }).env).toEqual({ HOME: '/h' });
});

test('an old Electron on a screen that is Wayland only is told so', () => {
  const wayland = { ...user, env: { WAYLAND_DISPLAY: 'wayland-0' } };
  expect(electronCommand(wayland).args).toEqual(['/app']);
  expect(electronCommand({ ...wayland, electron: { ...electron, isEvaluation: true } }).args).toEqual([
    '--ozone-platform=wayland',
    '/app',
  ]);
});
