import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { StewardLog } from '../../../src-main/diagnostics/steward-log.ts';
import type { Desktop, Writing } from '../../../src-main/ipc/desktop-port.ts';
import { startWindowAssistant, type WindowAssistant } from '../../../src-main/ipc/window/window-assistant.ts';
import type { UpdateProgram } from '../../../src-main/services.ts';
import type { ConsentCard, ConsentState } from '../../../src-preload/contract/consent.ts';
import type { Envelope } from '../../../src-preload/contract/envelope.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { Surface } from '../../../src-preload/contract/route.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';

type Bag = Record<string, unknown>;

export interface WindowRigOptions {
  readonly config?: Readonly<Bag>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Start with this profile and workspace, of an earlier rig. */
  readonly like?: WindowRig;
  /** Leave the workspace to config.json. */
  readonly withoutWorkspace?: boolean;
  /** The page is drawn then. */
  readonly startAfter?: Promise<void>;
  readonly updateProgram?: UpdateProgram;
}

/**
 * A window without a screen: the whole assistant behind the handleRequest, and a desktop whose dialogues answer as
 * told.
 */
export class WindowRig {
  readonly folder: string;
  readonly profile: string;
  readonly workspace: string;
  readonly assistant: WindowAssistant;
  readonly log: StewardLog;
  readonly events: { readonly surface: Surface; readonly name: string; readonly data: unknown }[] = [];
  /** What dialogues answer, in order; then they are closed without an answer. */
  readonly chosen: string[] = [];
  readonly opened: string[] = [];
  /** Why the system can’t open a file. */
  openingFails: string | undefined;
  readonly fileMenus: { readonly path: string; readonly canBeShown: boolean }[] = [];
  clipboard = 'copied elsewhere';
  /** How often the window was asked to close, as its close button does. */
  quits = 0;
  /** How often the window stood out in the task bar. */
  attentions = 0;
  isConsentShown = false;
  /** A user is at the window, and clicks. */
  hasGesture = true;
  /** What the system's dialogs asked, and what the user answers. */
  readonly confirmations: string[] = [];
  confirms = true;
  /** They press something at the question, before each answer. */
  pressesAtQuestion = true;
  /** What they wrote: by default, whatever is sent. */
  writing: Writing = WRITTEN;
  readonly #ending = new AbortController();
  #isClosed = false;

  constructor({ config, files = {}, env = {}, like, withoutWorkspace = false, ...start }: WindowRigOptions = {}) {
    this.folder = like?.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'steward-window-')));
    this.profile = join(this.folder, 'profile');
    this.workspace = join(this.folder, 'workspace');
    for (const directory of [this.profile, this.workspace]) mkdirSync(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.workspace, name), text);
    if (config !== undefined) this.writeConfig(config);
    this.log = new StewardLog({ profileDirectory: this.profile });
    this.assistant = startWindowAssistant({
      log: this.log,
      ...start,
      profileDirectory: this.profile,
      launchDirectory: this.folder,
      workspace: withoutWorkspace ? undefined : this.workspace,
      env: { HOME: this.folder, PATH: process.env.PATH ?? '', ...env },
      desktop: this.#desktop(),
      signal: this.#ending.signal,
      send: (surface, name, data) => void this.events.push({ surface, name, data: structuredClone(data) }),
      prepareConsent: () => undefined,
      showConsent: (question) => {
        this.isConsentShown = question !== null;
      },
      onComposerHeight: () => undefined,
      onQuestionHeight: () => undefined,
      onMessageField: () => undefined,
    });
    this.assistant.appPage(true);
    onTestFinished(async () => {
      await this.close();
      if (like === undefined) rmSync(this.folder, { recursive: true, force: true });
    });
  }

  writeConfig(config: Readonly<Bag>): void {
    writeFileSync(join(this.profile, 'config.json'), JSON.stringify(config));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ending.abort(new Error('the test is over'));
    await this.assistant.close();
  }

  envelope(route: string, input: unknown = {}, surface: Surface = 'app'): Promise<Envelope<unknown>> {
    const sender = { surface, isTopFrame: true, origin: `steward://${surface}`, receivedAt: performance.now() };
    return this.assistant.handleRequest({ ...sender, route, input });
  }

  /** The data of an answer; throws where it is an error. */
  async request<T = Bag>(route: string, input: unknown = {}, surface: Surface = 'app'): Promise<T> {
    const envelope = await this.envelope(route, input, surface);
    if (!envelope.ok) throw new Error(`${route}: ${envelope.error.code}: ${envelope.error.message}`);
    if (route === 'conversations.send') await this.shows((envelope.data as { id: string }).id);
    return envelope.data as T;
  }

  /** The code of an error; `ok` where there is none. */
  async code(route: string, input: unknown = {}, surface: Surface = 'app'): Promise<string> {
    const envelope = await this.envelope(route, input, surface);
    return envelope.ok ? 'ok' : envelope.error.code;
  }

  /** The page shows this conversation, as it does when something was sent in it. */
  async shows(conversationId: string | null): Promise<void> {
    await this.request('app.composer', { conversationId, height: 100 });
  }

  /** The next card, as the consent page sees it. */
  async card(): Promise<ConsentCard> {
    return vi.waitFor(async () => {
      const { card } = await this.request<ConsentState>('consent.state', {}, 'consent');
      if (card === null) throw new Error('no card is shown');
      return card;
    }, SOON);
  }

  /** Answers as a user does: after a look at the card. */
  async answer(answer: Readonly<Bag>, card?: ConsentCard): Promise<ConsentCard> {
    const shown = card ?? (await this.card());
    await vi.waitFor(async () => {
      const code = await this.code('consent.answer', { id: shown.id, ...answer }, 'consent');
      if (code === 'too_early') throw new Error(code);
      if (code !== 'ok') throw Object.assign(new Error(`consent.answer: ${code}`), { code });
    }, SOON);
    return shown;
  }

  /** Stores a key, as a user who confirms it. */
  async setKey(name: string, value: string): Promise<SettingsView> {
    const storing = this.request<SettingsView>('settings.setKey', { name, value });
    await this.answer({ answer: 'once' });
    return storing;
  }

  /** What turns said in one conversation, in order. */
  turnEvents(conversationId: string): readonly Bag[] {
    return this.events.flatMap(({ name, data }) => {
      const turn = data as AppEvents['turn'];
      return name === 'turn' && turn.conversationId === conversationId
        ? (turn.events as unknown as readonly Bag[])
        : [];
    });
  }

  /** Sends a message and waits for the end of the turn; gives its events. */
  async turn(text: string, id: string | null = null): Promise<{ id: string; events: readonly Bag[] }> {
    const before = id === null ? 0 : this.turnEvents(id).length;
    const sent = await this.request<{ id: string }>('conversations.send', { id, text });
    await this.turnEnded(sent.id, before);
    return { id: sent.id, events: this.turnEvents(sent.id).slice(before) };
  }

  async turnEnded(id: string, after = 0): Promise<void> {
    await vi.waitFor(async () => {
      const ends = this.turnEvents(id).slice(after);
      if (!ends.some(({ type }) => type === 'turn_end')) throw new Error('the turn has not ended');
      const list = await this.request<{ id: string; isAnswering: boolean }[]>('conversations.list');
      if (list.find((each) => each.id === id)?.isAnswering) throw new Error('the turn has not ended');
    }, SOON);
  }

  #desktop(): Desktop {
    let theme: 'system' | 'light' | 'dark' = 'system';
    let zoom = 1;
    let isFirstRun = true;
    const choose = async () => this.chosen.shift() ?? null;
    return {
      facts: {
        version: '0.0.0',
        platform: process.platform,
        electron: 'none',
        isElectronOutdated: false,
        homeFolder: this.folder,
      },
      session: {
        logFile: this.log.path,
        showLog: async () => void this.opened.push('the log'),
        crashDumps: () => undefined,
      },
      theme: () => theme,
      setTheme: (value) => {
        theme = value;
      },
      zoom: () => zoom,
      setZoom: (factor) => {
        zoom = factor;
        return zoom;
      },
      isFirstRun: () => isFirstRun,
      finishFirstRun: () => {
        isFirstRun = false;
      },
      takeGesture: () => this.hasGesture,
      takeSending: () => this.hasGesture,
      takeMenuRequest: () => this.hasGesture,
      takePressAtQuestion: () => this.pressesAtQuestion,
      showFileMenu: (path, canBeShown) => void this.fileMenus.push({ path, canBeShown }),
      writing: async () => this.writing,
      openExternal: async (url) => void this.opened.push(url),
      showFolder: async (path) => void this.opened.push(path),
      openPath: async (path) => {
        if (this.openingFails !== undefined) throw new Error(this.openingFails);
        this.opened.push(`open ${path}`);
      },
      revealPath: (path) => void this.opened.push(`reveal ${path}`),
      readClipboard: async () => this.clipboard,
      writeClipboard: async (text) => {
        this.clipboard = text;
      },
      notifySystem: async (title, text) => void this.opened.push(`notify ${title}: ${text}`),
      drawAttention: () => {
        this.attentions += 1;
      },
      quit: () => {
        this.quits += 1;
      },
      selection: async () => 'the selected words',
      confirm: async ({ message }) => {
        this.confirmations.push(message);
        return this.confirms;
      },
      chooseFolder: choose,
      chooseFileToSave: choose,
    };
  }
}

const WRITTEN: Writing = {
  isWritten: true,
  isRecalled: false,
  holdsLines: () => true,
  holdsChosenTool: () => true,
  originsOf: (text) => ({ typed: text, pasted: '' }),
  messageSent: () => undefined,
};

export const SOON = { timeout: 30_000, interval: 40 };
