import { join } from 'node:path';
import { app, type BrowserWindow, type Session, session, type WebContents, WebContentsView } from 'electron';
import { closeLists, lockContents, lockedPreferences, lockSession } from './lockdown.ts';
import { serveSurface } from './scheme.ts';
import { surfaceUrl } from './surface-files.ts';

/** The next question may follow at once: then the surface stays instead of flickering. */
const HIDE_AFTER_MS = 120;

/** Chromium's net error of a load that another one took the place of. */
const ERR_ABORTED = -3;

export interface ConsentViewOptions {
  readonly window: BrowserWindow;
  readonly outputFolder: string;
  readonly zoom: () => number;
  /** A view was made for it, which may take the place of one that ended. */
  readonly onMade: (contents: WebContents) => void;
  /** Its page is being loaded, for the first time or again: whatever it showed before is gone. */
  readonly onLoading: () => void;
  /** Its page ended, could not be loaded, or no longer answers. The view is gone; the next question gets a new one. */
  readonly onGone: () => void;
}

/**
 * The consent surface: a view of its own over the chat, with its own session, origin, preload and process. The chat page has
 * no handle to it and native views cannot be moved or clicked through by a page, and covered only by what `closeLists` closes.
 * Source: design section 4.
 *
 * It is made when it is first needed, because it costs a process, and then kept.
 */
export class ConsentView {
  readonly #options: ConsentViewOptions;
  #session: Session | undefined;
  #view: WebContentsView | undefined;
  #hiding: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ConsentViewOptions) {
    this.#options = options;
    const { window } = options;
    window.on('resize', () => this.#fit());
    window.on('focus', () => {
      if (this.#isShown) this.#view?.webContents.focus();
    });
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  get contents(): Electron.WebContents | undefined {
    return this.#view?.webContents;
  }

  /** Loads the page without showing it, so that a question does not have to wait for it. */
  prepare(): void {
    if (this.#options.window.isDestroyed()) return;
    this.#view ??= this.#create();
  }

  show(): void {
    clearTimeout(this.#hiding);
    this.#hiding = undefined;
    const { window } = this.#options;
    if (window.isDestroyed()) return;
    this.prepare();
    if (this.#view === undefined || this.#isShown) return;
    this.#isShown = true;
    // Adding it again puts it on top of whatever else there is.
    window.contentView.addChildView(this.#view);
    this.#fit();
    this.#view.setVisible(true);
    this.#view.webContents.focus();
    closeLists(window.webContents);
    if (!window.isFocused()) window.flashFrame(true);
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#hiding ??= setTimeout(() => {
      this.#hiding = undefined;
      this.#isShown = false;
      const { window } = this.#options;
      if (window.isDestroyed()) return;
      window.flashFrame(false);
      this.#view?.setVisible(false);
      window.webContents.focus();
    }, HIDE_AFTER_MS);
  }

  applyZoom(): void {
    this.#view?.webContents.setZoomFactor(this.#options.zoom());
  }

  send(channel: string, message: unknown): void {
    if (!this.#options.window.isDestroyed()) this.#view?.webContents.send(channel, message);
  }

  #create(): WebContentsView {
    const { window, outputFolder, onLoading, onMade } = this.#options;
    this.#session ??= consentSession(outputFolder);
    const view = new WebContentsView({
      webPreferences: {
        ...lockedPreferences(join(outputFolder, 'preload-consent.cjs'), app.isPackaged),
        session: this.#session,
      },
    });
    view.setBackgroundColor('#00000000');
    view.setVisible(false);
    const { webContents } = view;
    lockContents(webContents);
    onMade(webContents);
    webContents.on('did-start-loading', onLoading);
    webContents.on('did-finish-load', () => this.applyZoom());
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#discard(view, `ended (${reason})`);
    });
    webContents.on('unresponsive', () => this.#discard(view, 'no longer answers'));
    webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
      if (isMainFrame && code !== ERR_ABORTED) this.#discard(view, `could not be loaded (${description}, ${code})`);
    });
    window.contentView.addChildView(view);
    void webContents.loadURL(surfaceUrl('consent'));
    return view;
  }

  /** A page that died is not trusted with a question again: whatever it showed counts as not answered. */
  #discard(view: WebContentsView, what: string): void {
    if (this.#view !== view) return;
    process.stderr.write(`The page of the consent surface ${what}.\n`);
    const { window, onGone } = this.#options;
    clearTimeout(this.#hiding);
    this.#hiding = undefined;
    this.#view = undefined;
    this.#isShown = false;
    if (!window.isDestroyed()) {
      window.contentView.removeChildView(view);
      window.webContents.focus();
    }
    // Not from within its own event.
    setImmediate(() => {
      if (!view.webContents.isDestroyed()) view.webContents.close();
    });
    onGone();
  }

  #fit(): void {
    const { window } = this.#options;
    if (window.isDestroyed() || this.#view === undefined) return;
    const [width = 0, height = 0] = window.getContentSize();
    this.#view.setBounds({ x: 0, y: 0, width, height });
  }
}

/** Set up once: it outlives the views that are made in it. */
function consentSession(outputFolder: string): Session {
  const own = session.fromPartition('persist:consent');
  lockSession(own, 'consent');
  serveSurface(own, 'consent', join(outputFolder, 'renderer'));
  return own;
}
