import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { errorMessage } from '../../base/errors.ts';
import { RefusedSwitchError } from '../accepted-switches.ts';
import { MISCONFIGURED_EXIT_CODE } from '../profile-start.ts';

/** Says on stderr and in a window why Steward can't start. Exits with code 2 when the window is closed. */
export async function failStart(error: unknown, outputFolder: string): Promise<void> {
  process.stderr.write(`Steward cannot start: ${errorMessage(error)}\n`);
  // Set if the user or the system ends the app.
  let isEnding = false;
  app.on('before-quit', () => {
    isEnding = true;
    app.exit(MISCONFIGURED_EXIT_CODE);
  });
  if (!app.isReady()) stayOutOfProfiles();
  await app.whenReady();
  if (error instanceof RefusedSwitchError) {
    await showRefusedSwitch(error);
    app.exit(MISCONFIGURED_EXIT_CODE);
    return;
  }
  try {
    // Every start would load what only a failed one shows.
    const { showFailure } = await import('./failure-window.ts');
    await showFailure(error, outputFolder);
  } catch (failure) {
    // A page that is ended while it loads fails too, and nobody would be there to close the box.
    if (isEnding) return;
    process.stderr.write(`The window that says so could not be opened: ${errorMessage(failure)}\n`);
    dialog.showErrorBox('Steward can’t start', errorMessage(error));
    app.exit(MISCONFIGURED_EXIT_CODE);
  }
}

/** The switch is in effect, and may be a debugger's: there is no page that it could use. */
async function showRefusedSwitch({ message }: RefusedSwitchError): Promise<void> {
  const detail = `${message}\n\nRemove it from the menu entry, shortcut or script that starts Steward.`;
  await dialog.showMessageBox({
    type: 'error',
    title: 'Steward',
    message: 'Steward doesn’t start with this switch',
    detail,
    buttons: ['Quit'],
    noLink: true,
  });
}

/** Chromium writes files at every start; the default folder is the default profile. */
function stayOutOfProfiles(): void {
  const folder = mkdtempSync(join(tmpdir(), 'steward-start-'));
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
