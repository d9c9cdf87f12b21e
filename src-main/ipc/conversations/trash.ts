import type { conversations } from '../../../src-preload/contract/conversations.ts';
import { shortened, visible } from '../../base/text.ts';
import type { Services } from '../../services.ts';
import { DAYS_IN_TRASH } from '../../storage/conversations/trash.ts';
import { StorageError } from '../../storage/database/storage-error.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import type { Turns } from './turns.ts';

export interface TrashPorts {
  readonly services: Pick<Services, 'storage' | 'clients'>;
  readonly turns: Pick<Turns, 'stop'>;
  readonly desktop: Pick<Desktop, 'confirm' | 'takeGesture'>;
  readonly onListChanged: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;
const TITLE_LENGTH = 80;
const DETAIL = 'This can’t be undone. Backups that Steward made before still contain it until newer ones replace them.';

/** Erases what has been in the trash for long enough: now, and while the window is open. */
export function eraseOldRegularly(
  { trash }: Pick<Services['storage'], 'trash'>,
  { signal, onFault }: { readonly signal: AbortSignal; readonly onFault: (error: unknown) => void },
): void {
  const erase = () => void trash.eraseOld().catch(onFault);
  const timer = setInterval(erase, EVERY_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  erase();
}

export function trashHandlers({
  services: { storage, clients },
  turns,
  desktop,
  onListChanged,
}: TrashPorts): Pick<Handlers<typeof conversations>, 'trash' | 'erase' | 'emptyTrash'> {
  return {
    trash: () =>
      storage.trash.list().map(({ id, title, deletedAt }) => ({
        id,
        title,
        deletedAt,
        erasedFrom: new Date(Date.parse(deletedAt) + DAYS_IN_TRASH * DAY_MS).toISOString(),
      })),

    erase: async ({ id }, circumstances) => {
      const conversation = storage.conversations.get(id);
      if (conversation === undefined)
        throw new StorageError('conversation_unknown', 'This conversation no longer exists.');
      needGesture(desktop, circumstances);
      const message = `Delete “${shortTitle(conversation.title)}” permanently?`;
      if (!(await desktop.confirm({ message, detail: DETAIL, action: 'Delete permanently' })))
        return { isErased: false };
      await turns.stop(id);
      clients.close(id);
      await storage.trash.erase(id);
      onListChanged();
      return { isErased: true };
    },

    emptyTrash: async (_, circumstances) => {
      const shown = storage.trash.list();
      needGesture(desktop, circumstances);
      const message =
        shown.length === 1
          ? 'Delete the conversation in the trash permanently?'
          : `Delete all ${shown.length} conversations in the trash permanently?`;
      const detail = DETAIL.replace('contain it', 'contain them');
      if (!(await desktop.confirm({ message, detail, action: 'Empty trash' }))) return null;
      const isInUse = (error: unknown) => error instanceof StorageError && error.code === 'conversation_in_use';
      let left = 0;
      for (const { id } of shown) {
        // Restored or erased elsewhere while the question was open.
        if (storage.conversations.get(id)?.deletedAt == null) continue;
        try {
          await storage.trash.erase(id);
        } catch (error) {
          if (!isInUse(error)) throw error;
          left += 1;
        }
      }
      onListChanged();
      return { left };
    },
  };
}

/**
 * The model or a page may have written it; in a dialog there is no telling what is part of the title and what is not.
 */
function shortTitle(title: string): string {
  return shortened(visible(title.replace(/\s+/gu, ' ')), TITLE_LENGTH);
}
