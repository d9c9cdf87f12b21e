import { app } from 'electron';
import { errorMessage } from '../base/errors.ts';

/**
 * Quitting takes less than two seconds even if something hangs: everything shown is already committed. Only MCP servers may take
 * longer, after the window has gone. The rest of the time is for Chromium's shutdown.
 */
const CLOSE_WITHIN_MS = 1_200;

export interface Closing {
  /** First step: closes the window and stops turns. */
  readonly begin: () => void;
  /** Second step: ends child processes and closes the database. */
  readonly close: () => Promise<void>;
  /** Resolves when every MCP server has ended. Servers get their own time for that. */
  readonly serversEnded: () => Promise<void>;
}

/** The app ends when its window is closed, on a signal, or from the menu, always through this. */
export function quitCleanly({ begin, close, serversEnded }: Closing): void {
  let isClosing = false;
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    begin();
    const tooLate = setTimeout(() => void serversEnded().finally(() => app.exit(0)), CLOSE_WITHIN_MS);
    close()
      .catch((error: unknown) => {
        process.stderr.write(`Not everything could be closed: ${errorMessage(error)}\n`);
      })
      .finally(() => {
        clearTimeout(tooLate);
        app.exit(0);
      });
  });
}
