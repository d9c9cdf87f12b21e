import { expect, test } from 'vitest';
import { RefusedSwitchError, refusedSwitch, UNSANDBOXED } from '../../../src-main/desktop/accepted-switches.ts';

test.each([
  '--remote-debugging-port=9222',
  '--remote-debugging-port',
  '-remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--remote-allow-origins=*',
  '--inspect',
  '--inspect=0',
  '--inspect-brk=9229',
  '--REMOTE-DEBUGGING-PORT=1',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-certificate-errors',
  '--test-type',
  '--host-rules=MAP * evil',
  '--host-resolver-rules=',
  '--proxy-server=http://evil',
  '--proxy-pac-url=x',
  '--load-extension=/evil',
  '--js-flags=--expose-gc',
  '--disable-site-isolation-trials',
  '--disable-gpu-sandbox',
  '--user-data-dir=/elsewhere',
  '--log-net-log=/log',
  '--enable-logging=file',
  '--log-file=/log',
  '--ssl-key-log-file=/keys',
  '--renderer-cmd-prefix=evil',
  '--utility-cmd-prefix=evil',
  '--gpu-launcher=evil',
  '--disable-features=SitePerProcess',
  '--enable-features=WaylandWindowDecorations,Evil',
  '--type',
  '--constructor',
  '--enable-features=Wayland:param/1',
  '--enable-features',
  ' --js-flags',
  '-psn_0_1=x',
  '-\u202eevil',
  '--xdg-portal-required-version',
  '--xdg-portal-required-version=evil',
  '--ozone-platform=headless',
  '--ozone-platform-hint=headless',
  '--headless',
])('a packaged app does not start with %s', (argument) => {
  const name = argument.trim().split('=')[0]?.replace(/^--?/, '');
  for (const argv of [[argument], ['file', '--no-sandbox', '--profile', argument], ['--', argument]])
    expect(refusedSwitch(argv, 'linux')).toBe(`--${name}`);
});

test('on Windows a switch may begin with a slash, and elsewhere a path does', () => {
  expect(refusedSwitch(['/remote-debugging-port=1'], 'win32')).toBe('--remote-debugging-port');
  expect(refusedSwitch(['\u0085--inspect'], 'win32')).toBe('--inspect');
  expect(refusedSwitch(['/profile=C:\\p', 'C:\\file'], 'win32')).toBeUndefined();
  expect(refusedSwitch(['/remote-debugging-port=1'], 'linux')).toBeUndefined();
});

test('it starts with its own switches, and with those of displays and graphics drivers', () => {
  const argv = [
    '--xdg-portal-required-version=3',
    '--profile',
    '/p',
    '--workspace=/w=1',
    '--updated',
    '-psn_0_12345',
    'file',
    '-',
    '--',
    'remote-debugging',
    '--ozone-platform=wayland',
    '--enable-features=UseOzonePlatform,WaylandWindowDecorations',
    '--lang=de',
    '--disable-features=WaylandFractionalScaleV1',
    '--force-device-scale-factor=1.5',
    '--disable-gpu',
    '--class=x',
    '--enable-features=UseOzonePlatform,WebRTCPipeWireCapturer',
    '--disable-features=CalculateNativeWinOcclusion',
    '--disable-software-rasterizer',
    '--high-dpi-support=1',
    '--ozone-platform-hint=auto',
    '--force-renderer-accessibility',
    '--password-store=kwallet6',
    '-use-gl=angle',
  ];
  expect(refusedSwitch(argv, 'linux')).toBeUndefined();
});

test('the sandbox has an error of its own, which says more', () => {
  const switches = UNSANDBOXED.map((name) => `--${name}`);
  expect(refusedSwitch(switches, 'linux')).toBeUndefined();
  expect(refusedSwitch([...switches, '--inspect'], 'linux')).toBe('--inspect');
});

test('the error about a mistyped switch lists the switches of Steward', () => {
  const { message } = new RefusedSwitchError(refusedSwitch(['--workspce=/w'], 'linux') ?? '');
  expect(message).toMatch(/^It was started with --workspce\. Besides --profile and --workspace, /);
});
