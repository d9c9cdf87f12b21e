import type { ConversationSummary } from '../../src-preload/contract/conversations.ts';
import type { ModelChoice, SettingsSection, SettingsView, VendorPage } from '../../src-preload/contract/settings.ts';
import type { ChatSession } from '../conversation/chat-session.svelte.ts';

/** What the chat needs of the window that shows it. */
export interface ChatHost {
  readonly chat: ChatSession;
  readonly conversations: { find(id: string): ConversationSummary | undefined };
  readonly settings: ChatSettings;
  readonly navigation: { showSettings(section?: SettingsSection): void };
  /** Counts up when the composer should take the focus. */
  composerRequests: number;
  newConversation(): void;
  /** In the browser. */
  openVendorPage(page: VendorPage): void;
}

/** Those settings that are seen and changed beside a conversation. */
export interface ChatSettings {
  /** `null`: main has not said yet. */
  readonly view: SettingsView | null;
  readonly chosenModel: ModelChoice | undefined;
  chooseModel(specification: string): Promise<void>;
  chooseWorkspace(): Promise<void>;
  grantFolder(path: string): Promise<void>;
}
