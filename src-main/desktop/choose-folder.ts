import { type BrowserWindow, dialog } from 'electron';

/** Absolute path; `null`: the person cancelled the dialog. */
export async function chooseFolder(window: BrowserWindow, title: string, beginsIn: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    // Open panels of macOS show no title.
    message: title,
    // Since Electron 43 the system's last folder is not remembered.
    defaultPath: beginsIn,
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}
