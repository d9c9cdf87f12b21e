import { dirname } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { savePlace } from './save-place.ts';
import type { WindowMemory } from './window-memory.ts';

/** These are used if no file was saved before. */
const USUAL_FOLDERS = ['documents', 'downloads', 'home'] as const;

export interface Confirmation {
  readonly message: string;
  readonly detail: string;
  /** The button that agrees. */
  readonly action: string;
}

/** False is what Enter and Escape answer. */
export async function confirm(window: BrowserWindow, { action, ...texts }: Confirmation): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    ...texts,
    buttons: [action, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Resolves with an absolute path, or null if the user cancelled the dialog. */
export async function chooseFolder(window: BrowserWindow, title: string, beginsIn: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    // Open panels of macOS show no title, only a message.
    message: title,
    // Since Electron 43 the system's last folder is not remembered.
    defaultPath: beginsIn,
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Resolves with an absolute path, or null if the user cancelled the dialog. It begins where a file was saved last. */
export async function chooseFileToSave(
  window: BrowserWindow,
  memory: WindowMemory,
  suggestedName: string,
): Promise<string | null> {
  const folders = [memory.current.saveFolder, ...USUAL_FOLDERS.map((name) => app.getPath(name))];
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: savePlace(suggestedName, folders),
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  });
  if (canceled || filePath === '') return null;
  memory.remember({ saveFolder: dirname(filePath) });
  return filePath;
}
