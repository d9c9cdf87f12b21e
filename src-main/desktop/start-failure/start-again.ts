import { app, type BrowserWindow, dialog } from 'electron';
import { withProfile } from '../command-line.ts';
import { relaunchOptions } from '../relaunch-options.ts';
import { obstacleIn } from './profile-obstacle.ts';

/** Resolves with the absolute path of an empty folder or of a profile, or undefined if the user cancelled. */
export async function chooseProfile(window: BrowserWindow): Promise<string | undefined> {
  for (;;) {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title: 'Open another profile',
      message: 'Choose the folder of another profile, or an empty folder for a new one.',
      buttonLabel: 'Open',
      properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
    });
    const [folder] = filePaths;
    if (canceled || folder === undefined) return undefined;
    const obstacle = obstacleIn(folder);
    if (obstacle === undefined) return folder;
    await dialog.showMessageBox(window, { type: 'info', ...obstacle, buttons: ['Choose another folder'] });
  }
}

/** Starts the app anew when this process ends. `argv` does not contain the program. */
export function startAgain(argv: readonly string[], profile?: string): void {
  const args = profile === undefined ? [...argv] : withProfile(argv, profile);
  app.relaunch(relaunchOptions(args, process));
}
