/** What a user wrote in the chat, from the keys and pastes that the system delivered, not from the page. */
export interface Writing {
  /** Whether a text key or a paste happened since the last message. */
  readonly isWritten: boolean;
  /** Whether ↑ was pressed since the last message. */
  readonly isRecalled: boolean;
  /** Whether these lines were written exactly like this. */
  holdsLines(lines: string): boolean;
  /** Whether this tool call was chosen in the menu and its arguments were written. */
  holdsChosenTool(line: string): boolean;
  /** The text with every word blanked that was not typed, or not pasted. */
  originsOf(text: string): { readonly typed: string; readonly pasted: string };
  /** Whether each word of the text was written, the last one at least in its beginning. */
  holdsBeginning(text: string): boolean;
  messageSent(text: string): void;
}

/** What is kept of this window's life, and of those before. */
export interface SessionRecord {
  /** The absolute path of the log. */
  readonly logFile: string;
  /** Opens the log with the program that the system has for it. */
  showLog(): Promise<void>;
  /** Dumps of crashes on this computer, or undefined if there are none. `latestAt` is in ISO 8601. */
  crashDumps(): { readonly folder: string; readonly count: number; readonly latestAt: string } | undefined;
}

/** What handlers need from the desktop; implemented in desktop/, so that everything here runs under plain Node. */
export interface Desktop {
  readonly facts: {
    readonly version: string;
    readonly platform: string;
    readonly electron: string;
    readonly isElectronOutdated: boolean;
    readonly homeFolder: string;
  };
  readonly session: SessionRecord;
  theme(): 'system' | 'light' | 'dark';
  setTheme(theme: 'system' | 'light' | 'dark'): void;
  /** 1 is 100 %. */
  zoom(): number;
  /** Returns the factor in effect. */
  setZoom(factor: number): number;
  isFirstRun(): boolean;
  finishFirstRun(): void;
  /**
   * Whether a user clicked or pressed a button's key in the chat right before `at`. Counts once: one dialog per action.
   */
  takeGesture(at: number): boolean;
  /** Whether they clicked or pressed Enter, as a message is sent. Counts once. */
  takeSending(at: number): boolean;
  /**
   * Whether they pressed something at the question since then (of `performance.now()`) that can mean yes: a click, or a
   * key; `isGrave`: two different keys. Counts once.
   */
  takePressAtQuestion(since: number, isGrave: boolean): boolean;
  /**
   * Whether they asked for a menu in the chat (the right button, its key, a long touch) right before `at`. Counts once.
   */
  takeMenuRequest(at: number): boolean;
  /** A menu at the pointer: to copy the path, and to show the file in the system's file manager. */
  showFileMenu(path: string, canBeShown: boolean): void;
  /** What they have written in the chat so far, from main's own record. */
  writing(): Promise<Writing>;
  /** The URL has been checked. */
  openExternal(url: string): Promise<void>;
  showFolder(path: string): Promise<void>;
  /**
   * Opens a file, given by its absolute path, with the program that the system uses for it. Rejects with what the
   * system says.
   */
  openPath(path: string): Promise<void>;
  /** Shows a file, given by its absolute path, in the system's file manager. */
  revealPath(path: string): void;
  /** The text on the clipboard, or an empty one if there is none. */
  readClipboard(): Promise<string>;
  writeClipboard(text: string): Promise<void>;
  /** Rejects with what the system says, if it says that it was not shown. */
  notifySystem(title: string, text: string): Promise<void>;
  /** Whether the window has the focus. */
  isInFront(): boolean;
  /** Makes the window stand out in the system's task bar, unless it has the focus. */
  drawAttention(): void;
  /** Closes the window as its close button does: asks about what runs. */
  quit(): void;
  /** The text that is selected in the chat's messages, or an empty one if nothing is. */
  selection(): Promise<string>;
  /**
   * Asks in a dialog of the system, which the page can't answer. `action` is the button that agrees; the other one is
   * *Cancel*.
   */
  confirm(question: { readonly message: string; readonly detail: string; readonly action: string }): Promise<boolean>;
  /**
   * Resolves with an absolute path, or null if the user cancelled the dialog. The dialog opens in the absolute path
   * `beginsIn`.
   */
  chooseFolder(title: string, beginsIn: string): Promise<string | null>;
  /** Resolves with an absolute path, or null if the user cancelled the dialog. */
  chooseFileToSave(suggestedName: string): Promise<string | null>;
}
