import { join } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, screen, session, type WebContents } from 'electron';
import { lockContents, lockedPreferences, lockSession } from './lockdown.ts';
import { serveSurface } from './scheme.ts';
import { surfaceUrl } from './surface-files.ts';
import { windowIcon } from './window-icon.ts';
import { conversationIn, placedOn, type WindowMemory } from './window-memory.ts';

/** A fresh window fits a small laptop; below the minimum a question could not be read. */
const FIRST_SIZE = { width: 1160, height: 800 };
const MINIMUM_SIZE = { minWidth: 480, minHeight: 420 };
const SAVE_AFTER_MS = 400;
/** Ten times what a slow machine takes. */
const SHOW_AFTER_MS = 10_000;
/** The page's own colour (`--color-page`), so that nothing flashes before it is drawn. */
const BACKGROUND = { light: '#fbfaf8', dark: '#1d1b19' };

/** The window with the chat; shown as soon as its page has something to show. */
export function openChatWindow(outputFolder: string, memory: WindowMemory): BrowserWindow {
  const own = session.defaultSession;
  lockSession(own, 'app');
  serveSurface(own, 'app', join(outputFolder, 'renderer'));

  const { bounds, isMaximized } = memory.current;
  const placed =
    bounds &&
    placedOn(
      bounds,
      screen.getAllDisplays().map((display) => display.workArea),
    );
  const window = new BrowserWindow({
    ...FIRST_SIZE,
    ...placed,
    ...MINIMUM_SIZE,
    show: false,
    title: 'Steward',
    ...windowIcon(outputFolder),
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: lockedPreferences(join(outputFolder, 'preload-app.cjs'), app.isPackaged),
  });
  if (isMaximized) window.maximize();
  showWhenDrawn(window);
  lockContents(window.webContents);
  rememberPlace(window, memory);
  rememberConversation(window, memory);
  offerReload(window);
  if (app.commandLine.hasSwitch('remote-debugging-port')) beKnownToDevTools(window.webContents);
  const { conversation } = memory.current;
  void window.loadURL(surfaceUrl('app') + (conversation === null ? '' : `#${conversation}`));
  return window;
}

/** Show a page even if it never reports that it has drawn: everything else waits for the window. */
function showWhenDrawn(window: BrowserWindow): void {
  const show = () => {
    clearTimeout(atLatest);
    if (!window.isDestroyed()) window.show();
  };
  const atLatest = setTimeout(show, SHOW_AFTER_MS);
  window.once('ready-to-show', show);
}

/**
 * Prepares the page for tools that drive the window from outside. Chromium creates the page's DevTools target when it
 * is first requested. If that happens between the first page's headers and its commit, the target belongs to the
 * initial empty document and never reports the navigation: Playwright then waits until it times out.
 */
function beKnownToDevTools({ debugger: target }: WebContents): void {
  target.attach();
  target.detach();
}

function rememberPlace(window: BrowserWindow, memory: WindowMemory): void {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!window.isDestroyed() && !window.isMinimized() && !window.isFullScreen())
      memory.remember({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
  };
  const saveSoon = () => {
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', save);
  window.on('hide', save);
}

/** The page keeps the open conversation in its URL, and drafts in its own storage, which Chromium writes lazily. */
function rememberConversation(window: BrowserWindow, memory: WindowMemory): void {
  const { webContents } = window;
  let timer: NodeJS.Timeout | undefined;
  let conversation = memory.current.conversation;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (conversation !== memory.current.conversation) memory.remember({ conversation });
  };
  webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (!isMainFrame) return;
    conversation = conversationIn(url);
    // A page that is just starting has none open yet.
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  });
  const saveAll = () => {
    save();
    webContents.session.flushStorageData();
  };
  window.on('close', saveAll);
  window.on('hide', saveAll);
}

/** The page's process ended. Committed events are kept, turns continue in main, and the page can simply be reloaded. */
function offerReload(window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    process.stderr.write(`The window's page stopped (${reason}).\n`);
    void dialog
      .showMessageBox(window, {
        type: 'error',
        message: 'The window stopped working.',
        detail: `Nothing is lost: your conversations are saved, and running commands continue. (${reason})`,
        buttons: ['Reload', 'Quit'],
        defaultId: 0,
        cancelId: 0,
      })
      .then(({ response }) => {
        if (response === 1) app.quit();
        else if (!window.isDestroyed()) window.webContents.reload();
      });
  });
}
