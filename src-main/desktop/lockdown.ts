import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { SCHEME, type SurfaceName } from './surface-files.ts';

/**
 * A page may write to the clipboard only right after a click or a key press; by default Electron lets it do so at any
 * time, even in the background. Call before the app is ready.
 */
export function needClickToCopy(): void {
  app.commandLine.appendSwitch('blink-settings', 'javaScriptCanAccessClipboard=false');
}

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

/** Electron's own worlds are 0 and 999. The page cannot replace the functions of this one. */
const OWN_WORLD = 1001;
/**
 * A separate field without suggestions uses up the click that a page needs to open a list, or to write to the
 * clipboard.
 */
const USE_UP_CLICK = `try { document.createElement('input').showPicker(); } catch {}`;
/**
 * An open list closes when its field loses the focus. Typing is not interrupted: text areas have no list, and an input
 * field regains the focus.
 */
const CLOSE_LISTS = `
  ${USE_UP_CLICK}
  let field = document.activeElement;
  while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (field?.tagName === 'INPUT' || field?.tagName === 'SELECT') field.blur();
  if (field?.tagName === 'INPUT') field.focus({ preventScroll: true });`;

/**
 * The system draws suggestion lists above every view of the window, so a page could cover another view with one. After
 * this it can't open one until a user clicks or types in it again. A page that hangs keeps its open list.
 */
export function closeLists(contents: WebContents): void {
  // A destroyed page has no lists.
  contents.executeJavaScriptInIsolatedWorld(OWN_WORLD, [{ code: CLOSE_LISTS }]).catch(() => undefined);
}

/**
 * Uses up the user's last click or key, so that the page can do nothing with it. False if the page did not receive
 * this.
 */
export async function useUpClick(contents: WebContents): Promise<boolean> {
  try {
    await contents.executeJavaScriptInIsolatedWorld(OWN_WORLD, [{ code: USE_UP_CLICK }]);
    return true;
  } catch {
    return false;
  }
}

/** A name that never resolves (RFC 2606). */
const NO_PROXY_IS_THERE = 'http://steward.invalid:1';

/**
 * Chromium needs no network: Steward sends everything from Node in the main process. The content security policy and
 * the request filter see only requests, so a compromised page could still leak data in the names that `dns-prefetch`
 * and `preconnect` look up. Must run before the app is ready.
 */
export function resolveNoNames(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** Connections by address (`preconnect`, peer connections over TCP) go to a proxy that does not exist. */
export function connectNowhere(session: Session): void {
  void session.setProxy({ mode: 'fixed_servers', proxyRules: NO_PROXY_IS_THERE, proxyBypassRules: '<-loopback>' });
}

/** WebRTC sends datagrams past every policy and proxy. */
export function sendNoDatagrams(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}
