import type { Session, WebContents, WebPreferences } from 'electron';
import { connectNowhere, sendNoDatagrams } from './no-network.ts';
import { SCHEME, type SurfaceName } from './surface-files.ts';

/** Web preferences of both pages. Source: PEERS.md section 3, incident class 1. */
export function lockedPreferences(preload: string, isPackaged: boolean): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    disableDialogs: true,
    // A page must not read the clipboard without asking. Old versions of Electron allow it despite this.
    enableDeprecatedPaste: false,
    devTools: !isPackaged,
    // Except on macOS, Chromium downloads dictionaries from the network.
    spellcheck: process.platform === 'darwin',
    v8CacheOptions: 'bypassHeatCheck',
  };
}

/** Allows no permissions, downloads or requests except for the surface's own files. */
export function lockSession(session: Session, surface: SurfaceName): void {
  const own = `${SCHEME}://${surface}`;
  connectNowhere(session);
  // Copy buttons write to the clipboard; a page may do that after a click anyway.
  const isAllowed = (permission: string, origin: string) =>
    permission === 'clipboard-sanitized-write' && surface === 'app' && origin.replace(/\/$/, '') === own;
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) => {
    callback(isAllowed(permission, URL.canParse(requestingUrl) ? `${SCHEME}://${new URL(requestingUrl).host}` : ''));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => callback({}));
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !isOwn(details.url, own) });
  });
}

function isOwn(url: string, own: string): boolean {
  return url.startsWith(`${own}/`) || /^(?:data|blob|devtools):/.test(url);
}

/** The page can't navigate, open windows, move the window or prevent closing. */
export function lockContents(contents: WebContents): void {
  sendNoDatagrams(contents);
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  contents.on('content-bounds-updated', (event) => event.preventDefault());
  contents.on('login', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Electron's own worlds are 0 and 999. */
const OWN_WORLD = 1001;
/**
 * A temporary field without suggestions uses up the click that a page needs to open a list, and an open list closes when its field loses the
 * focus. Typing is not interrupted: text areas have no list, and a field gets the focus back. Runs in an isolated world whose functions the page
 * can't replace.
 */
const CLOSE_LISTS = `
  try { document.createElement('input').showPicker(); } catch {}
  let field = document.activeElement;
  while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (field?.tagName === 'INPUT' || field?.tagName === 'SELECT') field.blur();
  if (field?.tagName === 'INPUT') field.focus({ preventScroll: true });`;

/**
 * Suggestion lists are drawn by the system above every view of the window, so a page could cover another view with one. After this it can open
 * none until a person clicks or types in it again. A page that hangs keeps an open one.
 */
export function closeLists(contents: WebContents): void {
  // A destroyed page has no lists.
  contents.executeJavaScriptInIsolatedWorld(OWN_WORLD, [{ code: CLOSE_LISTS }]).catch(() => undefined);
}
