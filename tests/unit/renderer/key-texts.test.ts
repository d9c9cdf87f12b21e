import { expect, test } from 'vitest';
import { keychainHelp } from '../../../src-renderer/settings/key-texts.ts';

test('who has no keychain on Linux is told what to install, and who locked it to unlock it', () => {
  expect(keychainHelp('linux', 'absent')).toMatch(/gnome-keyring.*KWallet/);
  expect([keychainHelp('linux', 'locked'), keychainHelp('linux', 'no_answer')]).toEqual(
    Array(2).fill(expect.stringMatching(/Unlock/)),
  );
  const nothing = [keychainHelp('linux', null), keychainHelp('linux', 'failed'), keychainHelp('darwin', 'absent')];
  expect(nothing).toEqual(['', '', '']);
});
