/** What handlers need of the desktop; implemented in desktop/, so that everything here runs under plain Node. */
export interface Desktop {
  readonly facts: {
    readonly version: string;
    readonly platform: string;
    readonly electron: string;
    readonly evaluationRuntime: string | null;
    readonly homeFolder: string;
  };
  theme(): 'system' | 'light' | 'dark';
  setTheme(theme: 'system' | 'light' | 'dark'): void;
  /** 1 is 100 %. */
  zoom(): number;
  /** Gives the factor that is in effect. */
  setZoom(factor: number): number;
  isFirstRun(): boolean;
  finishFirstRun(): void;
  /** Whether a person clicked or typed in the chat just now. Counts once: one act, one dialogue. */
  takeGesture(): boolean;
  /** The URL has been checked. */
  openExternal(url: string): Promise<void>;
  showFolder(path: string): Promise<void>;
  /** Absolute path; `null`: the person closed the dialogue. */
  chooseFolder(title: string): Promise<string | null>;
  /** Absolute path; `null`: the person closed the dialogue. */
  chooseFileToSave(suggestedName: string): Promise<string | null>;
}
