import { app, BrowserWindow, dialog, nativeTheme, session, shell } from 'electron';
import { errorMessage } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { connectNowhere, sendNoDatagrams } from '../lockdown.ts';
import { givenProfile, MISCONFIGURED_EXIT_CODE } from '../profile-start.ts';
import { windowIcon } from '../window-icon.ts';
import { WindowMemory } from '../window-memory.ts';
import { actionIn, failurePage } from './failure-page.ts';
import { type FailureAction, failureText } from './failure-texts.ts';
import { chooseProfile, startAgain } from './start-again.ts';

const SIZE = { width: 680, height: 520, minWidth: 360, minHeight: 320 };
const BACKGROUND = { light: '#fbfaf8', dark: '#1d1b19' };

/** Opens the window that says why Steward can't start. The app exits with code 2 when it is closed. */
export async function showFailure(error: unknown, outputFolder: string): Promise<void> {
  const profile = givenProfile(process.argv.slice(1), process.env);
  nativeTheme.themeSource = new WindowMemory(profile).current.theme;
  const own = session.fromPartition('start-failure');
  connectNowhere(own);
  own.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  const window = new BrowserWindow({
    ...SIZE,
    ...windowIcon(outputFolder),
    title: 'Steward',
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: { session: own, sandbox: true, contextIsolation: true, nodeIntegration: false, devTools: false },
  });
  window.removeMenu();
  let exitCode = MISCONFIGURED_EXIT_CODE;
  // Exiting closes the window too.
  window.on('closed', () => app.exit(exitCode));
  app.on('second-instance', () => window.focus());
  const { webContents: page } = window;
  sendNoDatagrams(page);
  page.setWindowOpenHandler(() => ({ action: 'deny' }));
  page.on('will-navigate', (event, url) => {
    event.preventDefault();
    const action = actionIn(url);
    if (action === undefined) return;
    const leave = (code: number) => {
      exitCode = code;
      app.exit(code);
    };
    act(action, { profile, window, leave }).catch((problem: unknown) => {
      process.stderr.write(`${errorMessage(problem)}\n`);
      dialog.showErrorBox('Steward couldn’t do that', visible(errorMessage(problem)));
    });
  });
  // Whatever was open before shows nothing that could be used.
  for (const other of BrowserWindow.getAllWindows()) if (other !== window) other.destroy();
  const text = failureText(error, { profile: visible(profile), version: app.getVersion() });
  await window.loadURL(failurePage(text));
}

interface ActPorts {
  readonly profile: string;
  readonly window: BrowserWindow;
  readonly leave: (exitCode: number) => void;
}

async function act(action: FailureAction, { profile, window, leave }: ActPorts): Promise<void> {
  switch (action) {
    case 'quit':
      leave(MISCONFIGURED_EXIT_CODE);
      return;
    case 'retry':
      startAgain(process.argv.slice(1));
      leave(0);
      return;
    case 'folder': {
      const problem = await shell.openPath(profile);
      if (problem !== '') dialog.showErrorBox('The folder could not be shown', `${profile}\n\n${problem}`);
      return;
    }
    case 'other': {
      const chosen = await chooseProfile(window);
      if (chosen === undefined) return;
      startAgain(process.argv.slice(1), chosen);
      leave(0);
    }
  }
}
