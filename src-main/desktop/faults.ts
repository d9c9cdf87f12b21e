import { app, dialog } from 'electron';
import { errorMessage } from '../base/errors.ts';
import { redactSecrets } from '../secrets/redaction.ts';
import { MISCONFIGURED_EXIT_CODE } from './profile-start.ts';

/** Logs an internal error with secrets removed; the window keeps running instead of showing a stack trace. */
export function reportFaults(): void {
  process.on('uncaughtException', (error) => reportFault('uncaught', error));
  process.on('unhandledRejection', (reason) => reportFault('unhandled', reason));
}

export function reportFault(where: string, fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  process.stderr.write(`Something went wrong in Steward (${where}): ${redactSecrets(text)}\n`);
}

/** Reports why Steward can't start, in a dialog and on stderr, and exits with code 2 after the dialog is closed. */
export async function failStart(error: unknown): Promise<void> {
  const message = errorMessage(error);
  // Also if the system, not the person, closes it.
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
