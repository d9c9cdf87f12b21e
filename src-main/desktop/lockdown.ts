import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { connectNowhere, sendNoDatagrams } from './no-network.ts';
import { SCHEME, type SurfaceName } from './surface-files.ts';

/**
 * A page writes to the clipboard only right after a click or a key; Electron lets it do so at any time, also in the background.
 * Before the app is ready.
 */
export function needClickToCopy(): void {
  app.commandLine.appendSwitch('blink-settings', 'javaScriptCanAccessClipboard=false');
}

/** What both pages run with. Source: PEERS.md section 3, incident class 1. */
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
    // A page must not read the clipboard unasked. Old versions of Electron let it in spite of this.
    enableDeprecatedPaste: false,
    devTools: !isPackaged,
    // Elsewhere than on macOS, Chromium fetches dictionaries from the network.
    spellcheck: process.platform === 'darwin',
    v8CacheOptions: 'bypassHeatCheck',
  };
}

/** No permission, download or request but for the surface's own files. */
export function lockSession(session: Session, surface: SurfaceName): void {
  const own = `${SCHEME}://${surface}`;
  connectNowhere(session);
  // Putting text on the clipboard is what a copy button does; a page may do that without asking anyway, after a click.
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

/** The page stays where it is, opens nothing, moves nothing and keeps nobody from closing it. */
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

/** Electron's own worlds are 0 and 999. The page cannot replace the functions of this one. */
const OWN_WORLD = 1001;
/** A field of its own that has nothing to suggest takes the click that a page needs to open a list, or to write to the clipboard. */
const USE_UP_CLICK = `try { document.createElement('input').showPicker(); } catch {}`;
/**
 * A list that is open closes when its field loses the focus. What is being written goes on: no list belongs to a text area, and a
 * field gets the focus back.
 */
const CLOSE_LISTS = `
  ${USE_UP_CLICK}
  let field = document.activeElement;
  while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (field?.tagName === 'INPUT' || field?.tagName === 'SELECT') field.blur();
  if (field?.tagName === 'INPUT') field.focus({ preventScroll: true });`;

/**
 * Lists of suggestions are drawn by the system over every view of the window: a page must not lay one over another view. It opens
 * none from here on, until a person clicks or types in it again. A page that hangs keeps one that is open.
 */
export function closeLists(contents: WebContents): void {
  // A page that is gone has none.
  contents.executeJavaScriptInIsolatedWorld(OWN_WORLD, [{ code: CLOSE_LISTS }]).catch(() => undefined);
}

/** What the person did last lets the page do nothing more. False where the page does not hear of it. */
export async function useUpClick(contents: WebContents): Promise<boolean> {
  try {
    await contents.executeJavaScriptInIsolatedWorld(OWN_WORLD, [{ code: USE_UP_CLICK }]);
    return true;
  } catch {
    return false;
  }
}
