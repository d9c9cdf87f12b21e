import { expect, test } from 'vitest';
import { OutsideClipboard } from '../../../src-main/desktop/outside-clipboard.ts';

/** A clipboard that whoever wants writes. */
function clipboardWith(text: string) {
  const system = { text };
  return { system, clipboard: new OutsideClipboard(async () => system.text) };
}

test('what was copied before the window opened, or while another had the focus, is the person’s', async () => {
  const { system, clipboard } = clipboardWith('from before');
  expect(await clipboard.text()).toBe('from before');
  clipboard.focusLeft();
  system.text = 'copied elsewhere';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('copied elsewhere');
});

test('what came there while the window had the focus may be the page’s, also after it lost the focus and came back', async () => {
  const { system, clipboard } = clipboardWith('from before');
  system.text = 'written by the page';
  expect(await clipboard.text()).toBe('');
  clipboard.focusLeft();
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('');
  clipboard.focusLeft();
  system.text = 'copied elsewhere';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('copied elsewhere');
});
