import { expect, test } from 'vitest';
import { menuKeyOf } from '../../../src-main/desktop/menu-keys.ts';

const ACCELERATORS = [
  'CmdOrCtrl+N',
  'CmdOrCtrl+Shift+F',
  'Ctrl+Q',
  'F6',
  'CmdOrCtrl+.',
  'CmdOrCtrl+Plus',
  'CmdOrCtrl+0',
];

function pressed(keys: string, { isMac = false, type = 'rawKeyDown' } = {}): string | undefined {
  const parts = keys.split(' ');
  const input = {
    type,
    key: parts.at(-1) ?? '',
    control: parts.includes('ctrl'),
    meta: parts.includes('meta'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
  };
  const entries = ACCELERATORS.map((accelerator) => ({ accelerator, run: () => undefined }));
  return menuKeyOf(input, entries, isMac)?.accelerator;
}

test.each([
  ['ctrl n', 'CmdOrCtrl+N'],
  ['ctrl N', 'CmdOrCtrl+N'],
  ['ctrl shift F', 'CmdOrCtrl+Shift+F'],
  ['ctrl q', 'Ctrl+Q'],
  ['F6', 'F6'],
  ['ctrl .', 'CmdOrCtrl+.'],
  ['ctrl shift +', 'CmdOrCtrl+Plus'],
  ['ctrl +', 'CmdOrCtrl+Plus'],
  ['ctrl 0', 'CmdOrCtrl+0'],
])('%s is %s', (keys, accelerator) => {
  expect(pressed(keys)).toBe(accelerator);
});

test.each([
  'n',
  'q',
  '+',
  'ctrl shift n',
  'ctrl f',
  'ctrl alt q',
  'meta n',
  'shift F6',
  'ctrl F6',
  'ctrl c',
  'ctrl v',
  'ctrl Enter',
  'Escape',
])('%s stays with the page', (keys) => {
  expect(pressed(keys)).toBeUndefined();
});

test('on a Mac it is the command key, and a key that is released means nothing', () => {
  expect(pressed('meta n', { isMac: true })).toBe('CmdOrCtrl+N');
  expect(pressed('ctrl n', { isMac: true })).toBeUndefined();
  expect(pressed('ctrl n', { type: 'keyUp' })).toBeUndefined();
});
