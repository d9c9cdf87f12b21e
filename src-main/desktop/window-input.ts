import { type BrowserWindow, clipboard } from 'electron';
import { HumanInput } from './human-input.ts';
import { useUpClick } from './lockdown.ts';
import { OutsideClipboard } from './outside-clipboard.ts';

/** What a user does in the window's page. Call before the page is loaded. */
export function humanInputOf(window: BrowserWindow): HumanInput {
  const outside = new OutsideClipboard(readClipboard);
  const human = new HumanInput(outside);
  window.webContents.on('input-event', (_event, input) => human.heard(input));
  window.on('blur', () => {
    human.focusLeft();
    void outside.focusLeft(useUpClick(window.webContents));
  });
  window.on('focus', () => outside.focusCame());
  return human;
}

/** Electron 45 returns a promise, older versions the text. A clipboard that can't be read counts as empty. */
async function readClipboard(): Promise<string> {
  try {
    return await clipboard.readText();
  } catch {
    return '';
  }
}
