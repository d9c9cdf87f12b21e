import { app } from 'electron';
import { errorMessage } from '../base/errors.ts';

/** Quitting takes less than two seconds, whatever hangs: what was shown is committed already. The rest is for Chromium's own end. */
const CLOSE_WITHIN_MS = 1_200;

export interface Closing {
  /** At once: the window goes, turns are stopped. */
  readonly begin: () => void;
  /** Ends children, closes the database. */
  readonly close: () => Promise<void>;
}

/** The app ends when its window is closed, on a signal, or from the menu: always through here. */
export function quitCleanly({ begin, close }: Closing): void {
  let isClosing = false;
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    begin();
    const tooLate = setTimeout(() => app.exit(0), CLOSE_WITHIN_MS);
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
