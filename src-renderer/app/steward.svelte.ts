import type { routes } from '../../src-preload/contract/index.ts';
import { type Remedy, signInsOffered } from '../../src-preload/contract/remedies.ts';
import type { OutputOf } from '../../src-preload/contract/route.ts';
import type { Problem } from '../../src-preload/contract/settings.ts';
import { ChatSession, type Target } from '../conversation/chat-session.svelte.ts';
import { ReadingPlaces } from '../conversation/reading-places.ts';
import { UpdatesStore } from '../settings/updates/updates-store.svelte.ts';
import type { Bridge } from '../ui/bridge.ts';
import { externalLinks } from '../ui/external-links.svelte.ts';
import { connectRemedies, reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';
import { tooltips } from '../ui/tooltips.svelte.ts';
import { withStandIns } from '../ui/unseen-characters.ts';
import { ConversationList } from './conversation-list.svelte.ts';
import { MessageSearch } from './message-search.svelte.ts';
import { Navigation } from './navigation.svelte.ts';
import { SettingsState } from './settings-state.svelte.ts';
import type { Shortcut } from './shortcuts.ts';

export type AppInfo = OutputOf<typeof routes.app.app.info>;

/** The window's state, and the only listener to main's events. */
export class Steward {
  readonly bridge: Bridge;
  readonly navigation = new Navigation();
  readonly conversations: ConversationList;
  readonly search: MessageSearch;
  readonly settings: SettingsState;
  readonly chat: ChatSession;
  readonly updates: UpdatesStore;
  info: AppInfo | null = $state.raw(null);
  /** Notices from main while the window is open: one per code, with the latest text. */
  notices: readonly Problem[] = $state.raw([]);
  /** Incremented when the search field should take the focus. */
  searchRequests = $state(0);
  /** Incremented when the composer should take the focus. */
  composerRequests = $state(0);
  /** Incremented when the focus should go to the model's question, or from there to the composer. */
  questionRequests = $state(0);

  constructor(bridge: Bridge) {
    this.bridge = bridge;
    this.conversations = new ConversationList(bridge);
    this.search = new MessageSearch(bridge);
    this.settings = new SettingsState(bridge);
    this.updates = new UpdatesStore(bridge);
    this.chat = new ChatSession(bridge, new ReadingPlaces(localStorage));
    addEventListener('pagehide', () => this.chat.readingPlaces.save());
  }

  /** `conversationId` is the conversation that was open before a reload. */
  async start(conversationId: string | null): Promise<void> {
    this.#listen();
    externalLinks.connect((url) => {
      const id = this.chat.open?.id ?? null;
      void reported(this.bridge.request('conversations.openLink', { id, url }));
    });
    connectRemedies(({ code, remedies }) => {
      const [signIn] = signInsOffered(remedies);
      if (signIn !== undefined) return { label: 'Sign in…', run: () => this.fix(signIn.remedy) };
      return code === 'model_choice'
        ? { label: 'Open Settings', run: () => this.navigation.showSettings('models') }
        : undefined;
    });
    const read = Promise.all([this.settings.read(), this.conversations.read()]);
    const info = await reported(this.bridge.request('app.info', {}));
    // Only the first run needs more than this to be drawn. Everyone else can type while the rest loads.
    if (info?.isFirstRun === true) {
      await read;
      this.navigation.showFirstRun();
    }
    this.info = info ?? null;
    await read;
    void this.chat.contextWindow.read();
    if (info?.isFirstRun === true) return;
    // Whoever has begun to write meanwhile stays where they are.
    const isFree = this.chat.open === null && !this.chat.hasBegun;
    if (isFree && conversationId !== null && this.conversations.find(conversationId) !== undefined)
      await this.chat.select(conversationId);
  }

  async finishFirstRun(): Promise<void> {
    await reported(this.bridge.request('app.finishFirstRun', {}));
    await this.settings.read();
    this.newConversation();
  }

  newConversation(): void {
    this.chat.newConversation();
    this.navigation.showChat();
    this.composerRequests += 1;
  }

  /** Goes where the user can fix what failed. */
  fix(remedy: Remedy): void {
    if (remedy.kind === 'settings') this.navigation.showSettings(remedy.section, remedy.server ?? remedy.provider);
    else void reported(this.bridge.request('app.openVendorPage', { page: remedy.page }));
  }

  /** `message` is the one to show in it. */
  async openConversation(id: string, message: Target | null = null): Promise<void> {
    this.navigation.showChat();
    await this.chat.select(id, message && { ...message });
    this.composerRequests += 1;
  }

  async showQuestion(conversationId: string): Promise<void> {
    this.chat.takeUpQuestion(conversationId);
    await this.openConversation(conversationId);
  }

  /** With `isPermanent`, the conversation does not go to the trash. */
  async removeConversation(id: string, isPermanent: boolean): Promise<boolean> {
    const wasOpen = this.chat.open?.id === id;
    const isGone = isPermanent
      ? await this.conversations.erase(id)
      : await this.conversations.remove(id, () => {
          if (wasOpen) void this.openConversation(id);
        });
    if (isGone) this.chat.removed(id);
    return isGone;
  }

  run(shortcut: Shortcut): void {
    if (this.navigation.screen === 'first-run') return;
    if (shortcut === 'new') this.newConversation();
    else if (shortcut === 'settings') this.navigation.showSettings();
    else if (shortcut === 'stop') void this.chat.stop();
    else if (shortcut === 'question') this.questionRequests += 1;
    else {
      this.navigation.isSidebarOpen = true;
      this.searchRequests += 1;
    }
  }

  putAway(notice: Problem): void {
    this.notices = this.notices.filter((other) => other !== notice);
  }

  #listen(): void {
    const { bridge } = this;
    bridge.on('turn', (turn) => this.chat.turnEvents(turn));
    this.updates.follow();
    bridge.on('conversationsChanged', () => void this.#conversationsChanged());
    bridge.on('settingsChanged', () => {
      void this.settings.read();
      void this.chat.contextWindow.read();
    });
    bridge.on('questions', ({ pending }) => {
      this.chat.questionsChanged(pending);
    });
    bridge.on('docked', ({ height }) => {
      // The page doesn't see the pointer move while the question comes to lie under it.
      if (height > 0) tooltips.hide();
      this.chat.dockedHeight = height;
    });
    bridge.on('resource', (resource) => this.chat.attached.told(resource));
    bridge.on('modelQuestions', (event) => this.chat.modelQuestionsChanged(event));
    bridge.on('modelMessage', ({ text }) => toasts.show(`The model says: ${withStandIns(text)}`));
    bridge.on('filePreview', (preview) => {
      this.chat.modelQuestions.preview = preview;
    });
    bridge.on('leftRunning', (event) => this.chat.leftRunning.told(event));
    bridge.on('unreviewed', ({ files }) => {
      this.chat.unreviewedFiles = files;
    });
    bridge.on('openLink', ({ url }) => externalLinks.open(url));
    bridge.on('notice', (notice) => {
      this.notices = [...this.notices.filter((other) => other.code !== notice.code), notice];
    });
    bridge.on('command', ({ name }) => this.run(name));
  }

  async #conversationsChanged(): Promise<void> {
    await this.conversations.read();
    const { open } = this.chat;
    if (open === null) return;
    const summary = this.conversations.find(open.id);
    if (summary !== undefined) open.summaryChanged(summary);
  }
}
