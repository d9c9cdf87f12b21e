import type { ConversationSummary, conversations } from '../../../src-preload/contract/conversations.ts';
import type { Services } from '../../services.ts';
import type { Conversation } from '../../storage/conversations/conversations.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { saveText } from '../save-text.ts';
import { conversationSummary, existingConversation } from './conversation-view.ts';
import { fileName } from './result-file.ts';
import { shownEvent } from './shown-event.ts';
import type { Turns } from './turns.ts';

const SEARCH_RESULTS = 50;

export interface ListPorts {
  readonly services: Pick<Services, 'storage' | 'registry' | 'clients'>;
  readonly turns: Pick<Turns, 'isRunning' | 'stop'>;
  readonly desktop: Pick<Desktop, 'chooseFileToSave' | 'takeGesture'>;
  readonly onListChanged: () => void;
}

type ListRoutes = 'list' | 'open' | 'rename' | 'remove' | 'restore' | 'search' | 'export';

/** What can be done with whole conversations. */
export function listHandlers({
  services,
  turns,
  desktop,
  onListChanged,
}: ListPorts): Pick<Handlers<typeof conversations>, ListRoutes> {
  const { storage, registry, clients } = services;
  const existing = (id: string) => existingConversation(services, id);
  const summary = (conversation: Conversation) => conversationSummary(conversation, turns);
  const changed = (conversation: Conversation): ConversationSummary => {
    onListChanged();
    return summary(conversation);
  };

  return {
    list: () => storage.conversations.list().map(summary),

    open: ({ id }) => {
      const conversation = existing(id);
      const events = storage.events.read(id).map((event) => shownEvent(event, registry));
      return { conversation: summary(conversation), events };
    },

    rename: ({ id, title }) => changed(storage.conversations.rename(existing(id).id, title)),

    remove: async ({ id }) => {
      await turns.stop(existing(id).id);
      changed(storage.conversations.remove(id));
      clients.close(id);
      return null;
    },

    restore: ({ id }, circumstances) => {
      needGesture(desktop, circumstances);
      return changed(storage.conversations.restore(id));
    },

    search: async ({ query }) => {
      const hits = await storage.searchConversations(query, { limit: SEARCH_RESULTS });
      return hits.map(({ message, ...hit }) => ({
        ...hit,
        message: message && {
          seq: message.seq,
          spellings: message.spellings,
          snippet: message.snippet.text,
          matches: message.snippet.matches,
        },
      }));
    },

    export: async ({ id, format }, circumstances) => {
      const { title } = existing(id);
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFileToSave(fileNameFor(title, format));
      if (path === null) return null;
      await saveText(path, format === 'json' ? storage.exportJson(id) : storage.exportMarkdown(id), 'The conversation');
      return { path };
    },
  };
}

const EXTENSIONS = { markdown: 'md', json: 'json' } as const;

/** Leaves out characters that file systems reject. */
function fileNameFor(title: string, format: keyof typeof EXTENSIONS): string {
  return `${fileName(title, 80) || 'Conversation'}.${EXTENSIONS[format]}`;
}
