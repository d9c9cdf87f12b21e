import type { FilePreview, ModelQuestion } from '../../src-preload/contract/desktop-tools.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

/** What models ask and show the person through tools of the window. */
export class ModelQuestions {
  /** Of all conversations, the oldest first. */
  open: readonly ModelQuestion[] = $state.raw([]);
  /** The file in view. */
  preview: FilePreview | null = $state.raw(null);
  /** Typed so far, by question: the card goes while another screen is shown. */
  private readonly drafts = new Map<string, string>();
  private readonly bridge: Bridge;

  constructor(bridge: Bridge) {
    this.bridge = bridge;
  }

  of(conversationId: string | null): readonly ModelQuestion[] {
    return this.open.filter((question) => question.conversationId === conversationId);
  }

  told({ open }: AppEvents['modelQuestions']): void {
    this.open = open;
    for (const id of this.drafts.keys()) if (!open.some((question) => question.id === id)) this.drafts.delete(id);
  }

  draftOf(id: string): string {
    return this.drafts.get(id) ?? '';
  }

  typed(id: string, text: string): void {
    this.drafts.set(id, text);
  }

  async answer(id: string, answer: string): Promise<void> {
    const given = await reported(this.bridge.request('desktopTools.answer', { id, answer }));
    if (given?.isOpen === false) toasts.fail('This question is no longer open.');
  }

  async dismiss(id: string): Promise<void> {
    await reported(this.bridge.request('desktopTools.dismiss', { id }));
  }
}
