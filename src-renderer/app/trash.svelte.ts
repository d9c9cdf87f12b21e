import type { TrashedConversation } from '../../src-preload/contract/conversations.ts';
import { LoadedView } from '../settings/loaded-view.svelte.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

const DAY_MS = 86_400_000;

/** Deleted conversations, as main lists them. */
export class TrashList extends LoadedView<readonly TrashedConversation[]> {
  /** Something is being done about one of them, or about all (`all`). */
  busy: string | null = $state(null);

  protected override ask(): Promise<readonly TrashedConversation[]> {
    return this.bridge.request('conversations.trash', {});
  }

  /** Resolves with whether it left the trash. */
  async restore(id: string): Promise<boolean> {
    return this.#leaves(id, async () => {
      const restored = await reported(this.bridge.request('conversations.restore', { id }));
      if (restored !== undefined) toasts.show(`“${restored.title}” was restored.`);
      return restored !== undefined;
    });
  }

  /** Permanently, after main has asked. Resolves with whether it left the trash. */
  async erase(id: string): Promise<boolean> {
    return this.#leaves(
      id,
      async () => (await reported(this.bridge.request('conversations.erase', { id })))?.isErased === true,
    );
  }

  async empty(): Promise<void> {
    this.busy = 'all';
    const emptied = await reported(this.bridge.request('conversations.emptyTrash', {}));
    this.busy = null;
    if (!emptied) return;
    await this.load();
    if (emptied.left > 0)
      toasts.fail(
        `${emptied.left === 1 ? 'One conversation is' : `${emptied.left} conversations are`} still in the trash, because the assistant is working there or a mail is waiting to be sent.`,
      );
  }

  async #leaves(id: string, work: () => Promise<boolean>): Promise<boolean> {
    this.busy = id;
    const hasLeft = await work();
    this.busy = null;
    if (hasLeft) this.view = this.view?.filter((conversation) => conversation.id !== id) ?? null;
    else await this.load();
    return hasLeft;
  }
}

/** How long the conversation stays there, in whole days, as people count them. */
export function timeLeft({ erasedFrom }: Pick<TrashedConversation, 'erasedFrom'>, now: Date): string {
  const days = Math.ceil((Date.parse(erasedFrom) - now.getTime()) / DAY_MS);
  if (days < 1) return 'Will be deleted permanently today';
  return days === 1 ? '1 day left' : `${days} days left`;
}
