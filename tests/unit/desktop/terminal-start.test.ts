import { expect, test } from 'vitest';
import { terminalStart } from '../../../src-main/desktop/terminal-start.ts';

/** As the launchers put it before what was typed. */
const LAUNCHED = ['--no-sandbox', '--no-zygote', '--log-level=3', '--'];

test.each([[], LAUNCHED, ['--'], ['--no-sandbox']])('ask takes everything that follows it (after %j)', (...before) => {
  const argv = ['--json', '--model=guide', 'ask', '--version', '--', '-x'];
  expect(terminalStart([...before.flat(), 'ask', ...argv], 'linux')).toEqual({ kind: 'ask', argv });
});

test('help, version and the bundled server', () => {
  const kinds = [['--help'], ['-h'], ['--version', 'x'], [...LAUNCHED, '--version'], [...LAUNCHED, 'system-info']];
  expect(kinds.map((argv) => terminalStart(argv, 'linux')?.kind)).toEqual([
    'help',
    'help',
    'version',
    'version',
    'bundled-server',
  ]);
});

test.each([
  [],
  LAUNCHED,
  ['--no-sandbox'],
  ['Ask'],
  [' ask'],
  ['ask '],
  ['./ask'],
  ['file:///ask'],
  ['--ask'],
  [''],
  // A folder, and what a desktop passes on.
  ['--profile', 'ask'],
  ['--workspace', 'ask', 'ask'],
  ['/home/person/notes', 'ask'],
  ['--help=x'],
  // Not hidden behind a word of the terminal, so that the window refuses it.
  ['--remote-debugging-port=0', 'ask', 'x'],
  ['--inspect', '--version'],
  ['--', '--', 'ask'],
])('%j starts the window', (...argv) => {
  expect(terminalStart(argv.flat(), 'linux')).toBeUndefined();
});

test('what Chromium alone would take for a switch is refused, unless -- keeps it from Chromium', () => {
  const hidden = ' --remote-debugging-port=0';
  const refused = { kind: 'refused', name: '--remote-debugging-port' };
  expect(terminalStart(['ask', hidden], 'linux')).toEqual(refused);
  expect(terminalStart(['ask', '--profile', hidden, 'x'], 'linux')).toEqual(refused);
  expect(terminalStart(['ask', '/remote-debugging-port=0'], 'win32')).toEqual(refused);
  expect(terminalStart(['ask', '/remote-debugging-port=0'], 'linux')?.kind).toBe('ask');
  for (const argv of [
    [...LAUNCHED, 'ask', hidden],
    ['ask', '--', hidden],
  ])
    expect(terminalStart(argv, 'linux')?.kind).toBe('ask');
});

test('every other switch in front of -- is left to ask, which knows its own alone', () => {
  const argv = ['--remote-debugging-port=0', '-inspect', 'x'];
  expect(terminalStart(['ask', ...argv], 'linux')).toEqual({ kind: 'ask', argv });
});
