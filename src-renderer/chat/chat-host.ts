import type { ConversationSummary } from '../../src-preload/contract/conversations.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { ModelChoice, SettingsSection, SettingsView } from '../../src-preload/contract/settings.ts';
import type { ChatSession } from '../conversation/chat-session.svelte.ts';
import type { ModelListsStore } from '../ui/models/model-lists.svelte.ts';

/** What the chat needs from the window that shows it. */
export interface ChatHost {
  readonly chat: ChatSession;
  readonly conversations: { find(id: string): ConversationSummary | undefined };
  readonly settings: ChatSettings;
  readonly navigation: {
    /** In a narrow window it covers the chat. */
    readonly isSidebarOpen: boolean;
    /** `page` is that of an MCP server or a model provider. */
    showSettings(section?: SettingsSection, page?: string): void;
  };
  /** Incremented when the composer should take the focus. */
  composerRequests: number;
  /** Incremented when the focus should go to the model's question, or from there to the composer. */
  readonly questionRequests: number;
  newConversation(): void;
  /** Goes where the user can fix what failed. */
  fix(remedy: Remedy): void;
}

/** Folders that tools may currently use: the workspace and the granted folders. */
export function rootsIn({ settings: { view } }: ChatHost): readonly string[] {
  if (view === null) return [];
  return [view.workspace, ...view.folders.flatMap(({ path, isConfirmed }) => (isConfirmed ? [path] : []))];
}

/** Settings that can be seen and changed from a conversation. */
export interface ChatSettings {
  /** Null until it is known. */
  readonly view: SettingsView | null;
  readonly chosenModel: ModelChoice | undefined;
  readonly modelLists: ModelListsStore;
  chooseModel(specification: string): Promise<void>;
  chooseWorkspace(): Promise<void>;
  grantFolder(path: string): Promise<void>;
}
