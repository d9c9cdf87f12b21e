import { app } from 'electron';
import { type Closing, endCleanly } from './clean-end.ts';

export interface Quitting extends Closing {
  /** First step: closes the window and stops turns. */
  readonly begin: () => void;
  /** It is called as the last step. */
  readonly ended: () => void;
}

/** The app ends when its window is closed, on a signal, or from the menu, always through this. */
export function quitCleanly({ begin, ended, ...closing }: Quitting): void {
  let isClosing = false;
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    begin();
    void endCleanly(closing).finally(() => {
      ended();
      app.exit(0);
    });
  });
}
