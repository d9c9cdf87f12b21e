import { expect, test } from 'vitest';
import { OutsideClipboard } from '../../../src-main/desktop/outside-clipboard.ts';

const shut = Promise.resolve(true);

/** A clipboard that whoever wants writes. */
function clipboardWith(text: string) {
  const system = { text };
  return { system, clipboard: new OutsideClipboard(async () => system.text) };
}

test('text copied before the window opened, or while another window had the focus, is the user’s', async () => {
  const { system, clipboard } = clipboardWith('from before');
  expect(await clipboard.text()).toBe('from before');
  await clipboard.focusLeft(shut);
  system.text = 'copied elsewhere';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('copied elsewhere');
});

test('on Wayland the clipboard can be read only with the focus: what is there when it first comes is the user’s', async () => {
  const { system, clipboard } = clipboardWith('');
  system.text = 'a key that was copied before the start';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('a key that was copied before the start');
  system.text = 'written by the page';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('');
});

test('text copied while the window had the focus may be the page’s, even after the window lost and regained it', async () => {
  const { system, clipboard } = clipboardWith('from before');
  system.text = 'written by the page';
  expect(await clipboard.text()).toBe('');
  await clipboard.focusLeft(shut);
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('');
  await clipboard.focusLeft(shut);
  system.text = 'copied elsewhere';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('copied elsewhere');
});

test('while the page may still write, what comes is not known to be the user’s', async () => {
  const { system, clipboard } = clipboardWith('from before');
  system.text = 'written by the page';
  // It does not hear of it, or not in time.
  await clipboard.focusLeft(Promise.resolve(false));
  system.text = 'written by the page, too';
  clipboard.focusCame();
  expect(await clipboard.text()).toBe('');
  let setShut: (isShut: boolean) => void = () => undefined;
  const shutLate = clipboard.focusLeft(new Promise<boolean>((resolve) => (setShut = resolve)));
  system.text = 'and once more';
  clipboard.focusCame();
  setShut(true);
  await shutLate;
  expect(await clipboard.text()).toBe('');
  // The one that came too late says nothing of the next time.
  const next = clipboard.focusLeft(new Promise<boolean>(() => undefined));
  clipboard.focusCame();
  expect(await Promise.race([next, clipboard.text()])).toBe('');
});
