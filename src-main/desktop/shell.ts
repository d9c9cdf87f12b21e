import {
  app,
  type BrowserWindow,
  clipboard,
  Notification,
  nativeTheme,
  shell as system,
  type WebContents,
  webContents,
} from 'electron';
import { EVENT_CHANNEL } from '../../src-preload/contract/channels.ts';
import type { ShownQuestion, SurfacePlace } from '../policy/consent-surface.ts';
import { askBeforeClosing, type ClosePorts } from './ask-before-closing.ts';
import { openChatWindow } from './chat-window.ts';
import { ConsentView } from './consent-view.ts';
import { ContextMenus } from './context-menu.ts';
import { type Confirmation, chooseFileToSave, chooseFolder, confirm } from './dialogs.ts';
import { reportFault } from './faults.ts';
import type { HumanInput } from './human-input.ts';
import { installMenu } from './menu.ts';
import { type MenuKey, menuKeyOf } from './menu-keys.ts';
import type { StartPlaces } from './profile-start.ts';
import { listenForRequests, type RequestHandler } from './request-channel.ts';
import { selectedText } from './selected-text.ts';
import type { SessionLog } from './session-log.ts';
import type { SurfaceName } from './surface-files.ts';
import { showNotification } from './system-notification.ts';
import type { TypedRecord } from './typed-record.ts';
import { humanInputOf } from './window-input.ts';
import { CONSENT_ZOOM, type Theme, WindowMemory, within, ZOOM } from './window-memory.ts';

/** The Electron release line that Steward ships with. Older ones get no security fixes. */
const SHIPPED_MAJOR = 45;
/** Drawing them needs this thread too; loading anything at the same time delays the composer. */
const FIRST_FRAMES_TAKE_MS = 60;

export interface ShellOptions extends ClosePorts {
  readonly places: StartPlaces;
  readonly session: SessionLog;
  /** Absolute: where `renderer/` and the preloads are. */
  readonly outputFolder: string;
  /** Answers requests; they wait until it is set. */
  readonly handleRequest: Promise<RequestHandler>;
  readonly onConsentPageLoading: () => void;
  /** The page of questions ended or stopped responding, and the next question is shown in a new one. */
  readonly onConsentPageGone: () => void;
  readonly onConsentMoved: (place: SurfacePlace) => void;
  /** The user wants a question that is not shown. Returns whether one is shown now. */
  readonly onQuestionWanted: () => boolean;
  /** Called with false while the page is loading and receives nothing. */
  readonly onAppPage: (isLoaded: boolean) => void;
  readonly onAppearanceChanged: () => void;
}

/** The window with its two surfaces, and the desktop features that the rest of the app may use. */
export class Shell {
  readonly memory: WindowMemory;
  /** The window has drawn its page or failed to: from now on this thread may be busy for a while. */
  readonly pageDrawn: Promise<void>;
  readonly #options: ShellOptions;
  readonly #window: BrowserWindow;
  readonly #consent: ConsentView;
  readonly #human: HumanInput;
  readonly #menus: ContextMenus;
  #menuKeys: readonly MenuKey[] = [];
  #isAppPageLoaded = false;

  /** Opens the shell as soon as Electron is ready. The window is loading when this resolves. */
  static async open(options: ShellOptions): Promise<Shell> {
    await app.whenReady();
    return new Shell(options);
  }

  private constructor(options: ShellOptions) {
    this.#options = options;
    this.memory = new WindowMemory(options.places.profileDirectory);
    nativeTheme.themeSource = this.memory.current.theme;
    this.#window = openChatWindow(options.outputFolder, this.memory);
    this.#human = humanInputOf(this.#window);
    askBeforeClosing(this.#window, options);
    this.#menus = new ContextMenus({
      window: this.#window,
      isAskedFor: () => this.#human.takeMenuRequest(performance.now()),
      onChosen: () => this.#human.choseInMenu(),
      openLink: (url) => this.send('app', 'openLink', { url }),
      paste: (contents) => this.#paste(contents),
    });
    this.#consent = new ConsentView({
      window: this.#window,
      onMade: (contents) => {
        this.#menus.serve(contents, 'consent');
        this.#listenForMenuKeys(contents);
      },
      outputFolder: options.outputFolder,
      zoom: () => this.memory.current.consentZoom,
      onLoading: options.onConsentPageLoading,
      onGone: options.onConsentPageGone,
      chatZoom: () => this.zoom(),
      isWriting: () => this.#human.isWriting,
      mayBeEmpty: () => this.#human.mayBeEmpty,
      onWritten: (input) => {
        if (input === 'paste') this.#paste(this.#window.webContents);
        else this.#human.typedFor(input);
      },
      onWanted: options.onQuestionWanted,
      onMoved: options.onConsentMoved,
    });
    const { webContents: page } = this.#window;
    this.#menus.serve(page, 'app');
    this.#listenForMenuKeys(page);
    this.pageDrawn = new Promise((resolve) => {
      this.#window.once('show', () => setTimeout(resolve, FIRST_FRAMES_TAKE_MS));
      page.once('did-fail-load', () => resolve());
      page.once('render-process-gone', () => resolve());
    });
    // This doesn't happen when loading starts: that event also fires for in-page navigation, which never finishes.
    page.on('did-navigate', () => this.#tellAppPage(false));
    page.on('did-finish-load', () => {
      page.setZoomFactor(this.zoom());
      this.#tellAppPage(true);
    });
    listenForRequests((contents) => this.#surfaceOf(contents), options.handleRequest);
    this.#installMenu();
    app.on('second-instance', () => this.bringToFront());
    app.on('activate', () => this.bringToFront());
  }

  get isAppPageLoaded(): boolean {
    return this.#isAppPageLoaded;
  }

  bringToFront(): void {
    if (this.#window.isDestroyed()) return;
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  hideWindow(): void {
    if (!this.#window.isDestroyed()) this.#window.hide();
  }

  send(surface: SurfaceName, name: string, data: unknown): void {
    const message = { name, data };
    if (surface === 'consent') this.#consent.send(EVENT_CHANNEL, message);
    else if (!this.#window.isDestroyed()) this.#window.webContents.send(EVENT_CHANNEL, message);
  }

  prepareConsent(): void {
    this.#consent.prepare();
  }

  /** Shows a question, or none with null. */
  showConsent(question: ShownQuestion | null): void {
    if (question === null) this.#consent.hide();
    else {
      if (!this.#consent.isShown) this.#menus.close();
      this.#consent.show(question);
    }
  }

  composerHeight(height: number, room: number | undefined): void {
    this.#consent.composerHeight(height, room);
  }

  messageField(isFree: boolean): void {
    this.#consent.messageField(isFree);
  }

  questionHeight(id: string, height: number): void {
    this.#consent.measured(id, height);
  }

  // The rest implements the port through which ipc/ reaches the desktop.

  readonly facts = {
    version: app.getVersion(),
    platform: process.platform,
    electron: process.versions.electron ?? '',
    isElectronOutdated: Number.parseInt(process.versions.electron ?? '', 10) < SHIPPED_MAJOR,
    homeFolder: app.getPath('home'),
  };

  get session(): SessionLog {
    return this.#options.session;
  }

  theme(): Theme {
    return this.memory.current.theme;
  }

  setTheme(theme: Theme): void {
    this.memory.remember({ theme });
    nativeTheme.themeSource = theme;
    this.#installMenu();
    this.#options.onAppearanceChanged();
  }

  zoom(): number {
    return this.memory.current.zoom;
  }

  setZoom(factor: number): number {
    const zoom = within(ZOOM, factor);
    this.memory.remember({ zoom });
    this.#window.webContents.setZoomFactor(zoom);
    this.#consent.applyZoom();
    this.#options.onAppearanceChanged();
    return zoom;
  }

  isFirstRun(): boolean {
    return !this.memory.current.isFirstRunFinished;
  }

  finishFirstRun(): void {
    this.memory.remember({ isFirstRunFinished: true });
  }

  takeGesture(at: number): boolean {
    return this.#human.takeGesture(at);
  }

  takeSending(at: number): boolean {
    return this.#human.takeSending(at);
  }

  takePressAtQuestion(since: number, isGrave: boolean): boolean {
    return this.#consent.takePress(since, isGrave);
  }

  takeMenuRequest(at: number): boolean {
    return this.#human.takeMenuRequest(at);
  }

  showFileMenu(path: string, canBeShown: boolean): void {
    this.#menus.showForFile(path, canBeShown);
  }

  writing(): Promise<TypedRecord> {
    return this.#human.record();
  }

  openExternal(url: string): Promise<void> {
    return system.openExternal(url);
  }

  async showFolder(path: string): Promise<void> {
    const problem = await system.openPath(path);
    if (problem !== '') throw new Error(`The folder ${path} could not be shown: ${problem}`);
  }

  async openPath(path: string): Promise<void> {
    const problem = await system.openPath(path);
    if (problem !== '') throw new Error(`${path} could not be opened: ${problem}`);
  }

  revealPath(path: string): void {
    system.showItemInFolder(path);
  }

  async readClipboard(): Promise<string> {
    return clipboard.readText();
  }

  async writeClipboard(text: string): Promise<void> {
    await clipboard.writeText(text);
  }

  /** Closes the window like its button, and asks about running programs. */
  quit(): void {
    if (this.#window.isDestroyed()) app.quit();
    else this.#window.close();
  }

  notifySystem(title: string, body: string): Promise<void> {
    return showNotification(new Notification({ title, body }));
  }

  isInFront(): boolean {
    return !this.#window.isDestroyed() && this.#window.isFocused();
  }

  /** The system ends it when the window gets the focus. */
  drawAttention(): void {
    if (!this.#window.isDestroyed() && !this.#window.isFocused()) this.#window.flashFrame(true);
  }

  selection(): Promise<string> {
    return selectedText(this.#window.webContents);
  }

  chooseFolder(title: string, beginsIn: string): Promise<string | null> {
    return chooseFolder(this.#window, title, beginsIn);
  }

  confirm(question: Confirmation): Promise<boolean> {
    return confirm(this.#window, question);
  }

  chooseFileToSave(suggestedName: string): Promise<string | null> {
    return chooseFileToSave(this.#window, this.memory, suggestedName);
  }

  /**
   * Changes the zoom of the chat and of questions. Only the menu does this, which no page can press, so that the chat
   * can't change the size of a question.
   */
  #zoomBy(step: number | 'reset'): void {
    const consentZoom = step === 'reset' ? 1 : within(CONSENT_ZOOM, this.memory.current.consentZoom + step);
    this.memory.remember({ consentZoom });
    this.setZoom(step === 'reset' ? 1 : this.zoom() + step);
  }

  #tellAppPage(isLoaded: boolean): void {
    this.#isAppPageLoaded = isLoaded;
    // It reports its message field when it has loaded again.
    if (!isLoaded) this.#consent.messageField(false);
    this.#options.onAppPage(isLoaded);
  }

  #surfaceOf(contents: Electron.WebContents): SurfaceName | null {
    if (contents === this.#window.webContents) return 'app';
    return contents === this.#consent.contents ? 'consent' : null;
  }

  #paste(contents: WebContents | null): void {
    if (contents === this.#window.webContents) this.#human.pasted();
    contents?.paste();
  }

  /**
   * Handles the keys of the menu before the page does. Neither a page that uses up every key nor a focus that is just
   * moving keeps a user from quitting or stopping.
   */
  #listenForMenuKeys(contents: WebContents): void {
    contents.on('before-input-event', (event, input) => {
      const key = menuKeyOf(input, this.#menuKeys, process.platform === 'darwin');
      if (key === undefined) return;
      event.preventDefault();
      // The page does not get it, so it is not among the keys that are recorded.
      this.#human.leftText();
      key.run();
    });
  }

  #installMenu(): void {
    this.#menuKeys = installMenu({
      quit: () => this.quit(),
      showLog: () => void this.session.showLog().catch((error: unknown) => reportFault('the log', error)),
      command: (name) => {
        this.bringToFront();
        this.send('app', 'command', { name });
      },
      theme: () => this.theme(),
      setTheme: (theme) => this.setTheme(theme),
      paste: () => this.#paste(webContents.getFocusedWebContents()),
      switchToQuestion: () => {
        // A model's question is in the chat.
        if (!this.#consent.switchFocus()) this.send('app', 'command', { name: 'question' });
      },
      zoomBy: (step) => this.#zoomBy(step),
    });
  }
}
