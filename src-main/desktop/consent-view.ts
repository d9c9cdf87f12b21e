import { join } from 'node:path';
import { app, type BrowserWindow, type Session, session, type WebContents, WebContentsView } from 'electron';
import type { ShownQuestion, SurfacePlace } from '../policy/consent-surface.ts';
import { dockedPlace, type Rectangle } from './consent-place.ts';
import { closeLists, lockContents, lockedPreferences, lockSession } from './lockdown.ts';
import type { PressedKey } from './pressed-key.ts';
import { QuestionInput } from './question-input.ts';
import { serveSurface } from './scheme.ts';
import { surfaceUrl } from './surface-files.ts';

/** The next question may follow immediately: keep the surface to avoid flicker. */
const HIDE_AFTER_MS = 120;
/** A docked question is shown when its page has reported its height, or after this time. */
const MEASURED_WITHIN_MS = 200;
/** A click in the chat lets its page open a suggestion list, immediately or later. */
const LISTS_CLOSED_AFTER_MS = [50, 400] as const;
const NOWHERE: SurfacePlace = { hasRoomToDock: true, dockedHeight: 0 };
const PRESSES = new Set(['mouseDown', 'mouseUp', 'keyDown', 'rawKeyDown', 'gestureTap', 'touchEnd']);

/** Chromium's net error for a load that was replaced by another. */
const ERR_ABORTED = -3;

export interface ConsentViewOptions {
  readonly window: BrowserWindow;
  readonly outputFolder: string;
  /** Text sizes; 1 is 100 %. */
  readonly zoom: () => number;
  readonly chatZoom: () => number;
  /** The user is typing in the chat, so nothing may take the focus. */
  readonly isWriting: () => boolean;
  /** Whether the message field can be empty, by main's own record of keys. */
  readonly mayBeEmpty: () => boolean;
  /**
   * A key that was pressed at the question is for the message field, which has the focus now. `paste` means that it
   * pastes.
   */
  readonly onWritten: (input: PressedKey | 'paste') => void;
  /** The user wants the question that they put off. Returns whether there is one. */
  readonly onWanted: () => boolean;
  /** A view was created, perhaps to replace one that ended. */
  readonly onMade: (contents: WebContents) => void;
  /** The page is loading, for the first time or again, so whatever it showed before is gone. */
  readonly onLoading: () => void;
  /** The page ended, failed to load, or stopped responding. The view is gone; the next question gets a new one. */
  readonly onGone: () => void;
  /** The bounds of the view changed. */
  readonly onMoved: (place: SurfacePlace) => void;
}

/**
 * The consent surface: a separate view over the chat, with its own session, origin, preload and process. The chat page
 * has no handle to it. A page can't move a native view or click through it, and can cover it only with what
 * `closeLists` closes. Main places it above the composer or over the whole window. Source: design section 4.
 *
 * Created when first needed, because it costs a process, and then kept.
 */
export class ConsentView {
  readonly #options: ConsentViewOptions;
  #session: Session | undefined;
  #view: WebContentsView | undefined;
  #question: ShownQuestion | undefined;
  #measured: { readonly id: string; readonly height: number } | undefined;
  #composerHeight = 0;
  #room: number | undefined;
  #place: (SurfacePlace & { readonly bounds: Rectangle }) | undefined;
  #hiding: NodeJS.Timeout | undefined;
  #showing: NodeJS.Timeout | undefined;
  #closingLists: NodeJS.Timeout[] = [];
  #isShown = false;
  /** The user has just asked for a question that is not shown yet. */
  #isWanted = false;
  readonly #input: QuestionInput;

  constructor(options: ConsentViewOptions) {
    this.#options = options;
    const { window } = options;
    this.#input = new QuestionInput({
      ...options,
      question: () => this.#view?.webContents,
      onTaken: () => {
        if (this.#place !== undefined) options.onMoved(this.#place);
      },
    });
    window.on('resize', () => this.#refit());
    window.webContents.on('input-event', (_event, { type }) => {
      if (this.#isShown && PRESSES.has(type)) this.#closeListsSoon();
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

  /** The chat keeps the keyboard as long as the user writes there (see `QuestionKeyboard`). */
  show(question: ShownQuestion): void {
    clearTimeout(this.#hiding);
    this.#hiding = undefined;
    if (this.#options.window.isDestroyed()) return;
    this.prepare();
    this.#question = question;
    this.#fit();
    if (this.#isShown) this.#enterFor(question);
    else if (!question.isDocked || this.#measured?.id === question.id) this.#appear();
    else this.#showing ??= setTimeout(() => this.#appear(), MEASURED_WITHIN_MS);
  }

  hide(): void {
    this.#question = undefined;
    clearTimeout(this.#showing);
    this.#showing = undefined;
    if (!this.#isShown) return;
    this.#input.keyboard.ended();
    this.#hiding ??= setTimeout(() => {
      this.#hiding = undefined;
      const { holder } = this.#input.keyboard;
      this.#vanished();
      const { window, onMoved } = this.#options;
      if (window.isDestroyed()) return;
      window.flashFrame(false);
      this.#view?.setVisible(false);
      onMoved(NOWHERE);
      if (holder !== 'chat') this.#input.returnToChat(holder);
    }, HIDE_AFTER_MS);
  }

  /** In CSS pixels of the chat. */
  composerHeight(height: number, room: number | undefined): void {
    this.#composerHeight = height;
    this.#room = room;
    this.#refit();
  }

  /** The height of a question, in CSS pixels of its page. */
  measured(id: string, height: number): void {
    this.#measured = { id, height };
    if (this.#question?.id !== id) return;
    this.#refit();
    if (!this.#isShown) this.#appear();
  }

  /**
   * Moves the focus to the question, even to one that was put off, or back to the chat. Returns false if there is none.
   */
  switchFocus(): boolean {
    if (this.#isShown) {
      this.#input.keyboard.switched();
      return true;
    }
    this.#isWanted = true;
    // A question that waits may be shown at once.
    const isWaiting = this.#options.onWanted();
    if (!isWaiting) this.#isWanted = false;
    return isWaiting;
  }

  /** See the route `app.messageField`. */
  messageField(isFree: boolean): void {
    this.#input.keyboard.messageField(isFree);
  }

  /**
   * Whether the user pressed something at the question since `since` (of `performance.now()`) that can mean yes. Counts
   * once.
   */
  takePress(since: number, isGrave: boolean): boolean {
    return this.#input.takePress(since, isGrave);
  }

  applyZoom(): void {
    this.#view?.webContents.setZoomFactor(this.#options.zoom());
    this.#refit();
  }

  send(channel: string, message: unknown): void {
    if (!this.#options.window.isDestroyed()) this.#view?.webContents.send(channel, message);
  }

  #appear(): void {
    clearTimeout(this.#showing);
    this.#showing = undefined;
    const { window } = this.#options;
    const view = this.#view;
    const question = this.#question;
    if (window.isDestroyed() || view === undefined || question === undefined) return;
    this.#isShown = true;
    // Adding it again raises it above all other views.
    window.contentView.addChildView(view);
    this.#place = undefined;
    this.#fit();
    view.setVisible(true);
    this.#enterFor(question);
    closeLists(window.webContents);
    if (!window.isFocused()) window.flashFrame(true);
  }

  #enterFor({ id, isOfUser }: ShownQuestion): void {
    const isAtOnce = isOfUser && !this.#options.isWriting();
    this.#input.keyboard.shown({ id, isCovering: this.#place?.dockedHeight === 0, isAtOnce });
    if (!this.#isWanted) return;
    this.#isWanted = false;
    if (this.#input.keyboard.holder !== 'entered') this.#input.keyboard.switched();
  }

  #vanished(): void {
    this.#isShown = false;
    this.#input.keyboard.hidden();
    this.#place = undefined;
    for (const timer of this.#closingLists) clearTimeout(timer);
    this.#closingLists = [];
  }

  #closeListsSoon(): void {
    for (const timer of this.#closingLists) clearTimeout(timer);
    const { window } = this.#options;
    const close = () => {
      if (!window.isDestroyed()) closeLists(window.webContents);
    };
    this.#closingLists = LISTS_CLOSED_AFTER_MS.map((ms) => setTimeout(close, ms));
  }

  #create(): WebContentsView {
    const { window, outputFolder, onLoading, onMade } = this.#options;
    this.#session ??= consentSession(outputFolder);
    const view = new WebContentsView({
      webPreferences: {
        ...lockedPreferences(join(outputFolder, 'preload-consent.cjs'), app.isPackaged),
        session: this.#session,
        focusOnNavigation: false,
      },
    });
    view.setBackgroundColor('#00000000');
    view.setVisible(false);
    const { webContents } = view;
    lockContents(webContents);
    onMade(webContents);
    this.#input.listen(webContents);
    webContents.on('did-start-loading', onLoading);
    // The question is shown only when loading has stopped, because loading a page takes the focus while the user may be
    // typing in the chat.
    webContents.on('did-stop-loading', () => {
      if (this.#view === view && !window.isDestroyed()) window.contentView.addChildView(view);
    });
    webContents.on('did-finish-load', () => this.applyZoom());
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#discard(view, `ended (${reason})`);
    });
    webContents.on('unresponsive', () => this.#discard(view, 'stopped responding'));
    webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
      if (isMainFrame && code !== ERR_ABORTED) this.#discard(view, `could not be loaded (${description}, ${code})`);
    });
    void webContents.loadURL(surfaceUrl('consent'));
    return view;
  }

  /** A page that died gets no further questions, and whatever it showed counts as unanswered. */
  #discard(view: WebContentsView, what: string): void {
    if (this.#view !== view) return;
    process.stderr.write(`The consent page ${what}.\n`);
    const { window, onGone, onMoved } = this.#options;
    clearTimeout(this.#hiding);
    clearTimeout(this.#showing);
    this.#hiding = undefined;
    this.#showing = undefined;
    this.#view = undefined;
    this.#question = undefined;
    const { holder } = this.#input.keyboard;
    this.#vanished();
    if (!window.isDestroyed()) {
      window.contentView.removeChildView(view);
      if (holder !== 'chat') this.#input.returnToChat(holder);
    }
    // The view must not be closed from within its own event handler.
    setImmediate(() => {
      if (!view.webContents.isDestroyed()) view.webContents.close();
    });
    onGone();
    onMoved(NOWHERE);
  }

  /** Something around it changed. It may cover the window from now on, or no more. */
  #refit(): void {
    this.#fit();
    const question = this.#question;
    if (this.#isShown && question !== undefined) this.#enterFor({ ...question, isOfUser: false });
  }

  /** Places the view, and reports it if the bounds changed. */
  #fit(): void {
    const { window, zoom, chatZoom, onMoved } = this.#options;
    const question = this.#question;
    if (window.isDestroyed() || this.#view === undefined || question === undefined) return;
    const [width = 0, height = 0] = window.getContentSize();
    const docked = dockedPlace({
      window: { width, height },
      chatZoom: chatZoom(),
      consentZoom: zoom(),
      composerHeight: this.#composerHeight,
      room: this.#room,
      questionHeight: this.#measured?.id === question.id ? this.#measured.height : undefined,
    });
    const isDocked = question.isDocked && docked !== undefined;
    const bounds = isDocked ? docked : { x: 0, y: 0, width, height };
    const place = {
      bounds,
      hasRoomToDock: docked !== undefined,
      dockedHeight: isDocked && this.#isShown ? bounds.height / chatZoom() : 0,
    };
    if (JSON.stringify(place) === JSON.stringify(this.#place)) return;
    this.#place = place;
    this.#view.setBounds(bounds);
    onMoved(place);
  }
}

/** Set up once: it outlives the views created in it. */
function consentSession(outputFolder: string): Session {
  const own = session.fromPartition('persist:consent');
  lockSession(own, 'consent');
  serveSurface(own, 'consent', join(outputFolder, 'renderer'));
  return own;
}
