import { app, dialog } from 'electron';
import { errorMessage } from '../base/errors.ts';
import { MISCONFIGURED_EXIT_CODE } from './profile-start.ts';

/** Says why there is no assistant, in a dialogue and on stderr, and ends with exit code 2 once it was read. */
export async function failStart(error: unknown): Promise<void> {
  const message = errorMessage(error);
  // Also when the system, not the reader, ends it.
  app.on('before-quit', () => app.exit(MISCONFIGURED_EXIT_CODE));
  await app.whenReady();
  process.stderr.write(`Steward cannot start: ${message}\n`);
  await dialog.showMessageBox({
    type: 'error',
    title: 'Steward',
    message: 'Steward cannot start',
    detail: message,
    buttons: ['Quit'],
  });
  app.exit(MISCONFIGURED_EXIT_CODE);
}
