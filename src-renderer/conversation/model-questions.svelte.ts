import type { FilePreview, ModelQuestion } from '../../src-preload/contract/desktop-tools.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';

/** What models ask and show the user through tools of the window. */
export class ModelQuestions {
  /** The questions of all conversations, the oldest first. */
  open: readonly ModelQuestion[] = $state.raw([]);
  /** The question whose answer is on its way to main. */
  answering: string | null = $state(null);
  /** The file in view. */
  preview: FilePreview | null = $state.raw(null);
  /**
   * For each conversation, the question that the text in its message field was begun for. Null if it was begun for a
   * message.
   */
  #begun: ReadonlyMap<string, string | null> = $state.raw(new Map());
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  of(conversationId: string | null): readonly ModelQuestion[] {
    return this.open.filter((question) => question.conversationId === conversationId);
  }

  told({ open }: AppEvents['modelQuestions']): void {
    this.open = open;
  }

  /** The message field of a conversation now holds this. */
  written(conversationId: string, text: string): void {
    if ((text.trim() === '') === !this.#begun.has(conversationId)) return;
    const begun = new Map(this.#begun);
    if (!begun.delete(conversationId)) begun.set(conversationId, this.#askedIn(conversationId));
    this.#begun = begun;
  }

  /**
   * What the message field holds was begun before the question came, or for one that is gone: Enter must not make half
   * a message an answer, nor half an answer a message.
   */
  isBegunForAnother(conversationId: string): boolean {
    const begun = this.#begun.get(conversationId);
    return begun !== undefined && begun !== this.#askedIn(conversationId);
  }

  /** The user was told what the text is used for now. */
  meant(conversationId: string): void {
    this.#begun = new Map(this.#begun).set(conversationId, this.#askedIn(conversationId));
  }

  /** Whether it was taken. */
  async answer(id: string, answer: string): Promise<boolean> {
    if (this.answering !== null) return false;
    this.answering = id;
    const given = await reported(this.#bridge.request('desktopTools.answer', { id, answer }));
    this.answering = null;
    if (given?.isOpen === false) toasts.fail('This question is no longer open.');
    return given?.isOpen === true;
  }

  async dismiss(id: string): Promise<void> {
    await reported(this.#bridge.request('desktopTools.dismiss', { id }));
  }

  #askedIn(conversationId: string): string | null {
    return this.of(conversationId)[0]?.id ?? null;
  }
}
