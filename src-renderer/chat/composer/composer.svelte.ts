import { MAX_MESSAGE_LENGTH, MAX_PASTE_IN_MESSAGE_LENGTH } from '../../../src-preload/contract/attached-text.ts';
import type { Attachment } from '../../../src-preload/contract/conversations.ts';
import type { PreparedPrompt } from '../../../src-preload/contract/server-content.ts';
import type { ModelChoice } from '../../../src-preload/contract/settings.ts';
import {
  attachmentFrom,
  MAX_ATTACHMENTS,
  NotAttachable,
  type PendingAttachment,
  pastedText,
  refuseTooMuchMedia,
} from './attachments.ts';
import { DraftHistory } from './draft-history.ts';
import { type Draft, type Drafts, EMPTY_DRAFT, joinedTexts } from './drafts.ts';

export interface ComposerPorts {
  readonly drafts: Drafts;
  /** What the user sent before, oldest first. */
  readonly sentTexts: () => readonly string[];
  /** Resolves with the conversation that the message is in, or with null if it was not taken. */
  readonly send: (text: string, attachments: Attachment[]) => Promise<string | null>;
  readonly refused: (message: string) => void;
  /** The model that will answer, or undefined if it is not known. */
  readonly model: () => ModelChoice | undefined;
}

/** What is being written, for one conversation at a time. */
export class Composer {
  text = $state('');
  attachments: readonly PendingAttachment[] = $state.raw([]);
  isSending = $state(false);
  readonly isEmpty: boolean = $derived(this.text.trim() === '' && this.attachments.length === 0);
  readonly #ports: ComposerPorts;
  readonly #history: DraftHistory;
  #conversationId: string | null = null;
  #nextId = 1;

  constructor(ports: ComposerPorts) {
    this.#ports = ports;
    this.#history = new DraftHistory(ports.sentTexts);
    this.#take();
  }

  /** Another conversation was opened: its own draft comes. */
  switchedTo(conversationId: string | null): void {
    if (conversationId === this.#conversationId) return;
    this.#conversationId = conversationId;
    this.#history.forget();
    this.#take();
  }

  typed(text: string): void {
    this.text = text;
    this.#keep();
  }

  /** Whether the arrow key was used. */
  arrow(direction: 'up' | 'down'): boolean {
    const text = direction === 'up' ? this.#history.older(this.text) : this.#history.newer(this.text);
    if (text === null) return false;
    this.typed(text);
    return true;
  }

  async attach(files: readonly File[]): Promise<void> {
    const id = this.#conversationId;
    // One message for all: it takes less room, and the next one replaces it.
    const refusals: string[] = [];
    for (const file of files) {
      if (this.attachments.length >= MAX_ATTACHMENTS) {
        refusals.push(noRoomText(file.name));
        break;
      }
      const read = await this.#read(file);
      if (this.#conversationId !== id) return;
      if (typeof read === 'string') refusals.push(read);
      else this.#add({ attachment: read, bytes: file.size });
    }
    if (refusals.length > 0) this.#ports.refused(refusals.join('\n'));
  }

  /** Whether it was too long for the message field, and was attached or refused instead. */
  pasted(text: string): boolean {
    if (text.length <= MAX_PASTE_IN_MESSAGE_LENGTH) return false;
    const count = this.attachments.filter(({ isPasted }) => isPasted === true).length;
    try {
      if (this.#hasRoomFor('The pasted text')) this.#add(pastedText(text, count));
    } catch (error) {
      if (!(error instanceof NotAttachable)) throw error;
      this.#ports.refused(error.message);
    }
    return true;
  }

  /** Puts an attached text into the message, after what is written. */
  write(id: number): void {
    const attachment = this.attachments.find((pending) => pending.id === id)?.attachment;
    if (attachment?.kind !== 'text') return;
    this.detach(id);
    this.typed(joinedTexts(this.text.trimEnd(), attachment.text));
  }

  addResource(resource: { readonly server: string; readonly uri: string; readonly name: string }): void {
    const isThere = ({ attachment }: PendingAttachment) =>
      attachment.kind === 'resource' && attachment.server === resource.server && attachment.uri === resource.uri;
    if (this.attachments.some(isThere) || !this.#hasRoomFor(resource.name)) return;
    this.#add({ attachment: { kind: 'resource', ...resource }, bytes: 0 });
  }

  /** Replaces any other prompt, because a message takes one. */
  addPrompt(prepared: PreparedPrompt): void {
    this.attachments = this.attachments.filter(({ attachment }) => attachment.kind !== 'prompt');
    if (!this.#hasRoomFor(prepared.name)) return;
    const { id, name } = prepared;
    this.#add({ attachment: { kind: 'prompt', id, name }, bytes: 0, prepared });
  }

  detach(id: number): void {
    this.attachments = this.attachments.filter((pending) => pending.id !== id);
    this.#keep();
  }

  /** Sends what is there. The field is free at once: what is written from then on is the next message. */
  async send(): Promise<boolean> {
    if (this.isEmpty) return false;
    if (this.isSending) {
      this.#ports.refused('Your last message is still being sent. Try again in a moment.');
      return false;
    }
    const { text, attachments } = this;
    const conversationId = this.#conversationId;
    if (text.length > MAX_MESSAGE_LENGTH) {
      const most = MAX_MESSAGE_LENGTH.toLocaleString('en');
      this.#ports.refused(`A message may have up to ${most} characters. Attach a part of it as a file.`);
      return false;
    }
    this.isSending = true;
    this.#ports.drafts.setSending(conversationId, text);
    this.clear();
    let sentTo: string | null = null;
    try {
      sentTo = await this.#ports.send(
        text,
        attachments.map((pending) => pending.attachment),
      );
      return sentTo !== null;
    } finally {
      this.isSending = false;
      this.#ports.drafts.setSending(conversationId, null);
      if (sentTo === null) this.#prepend(conversationId, { text, attachments });
      // The message made a conversation, and what was written meanwhile was still without one.
      else if (sentTo !== conversationId) this.#prepend(sentTo, this.#taken(conversationId));
    }
  }

  /** The text was used for something else than a message; attachments wait for the next one. */
  textUsed(conversationId: string, text: string): void {
    const written = this.#ports.drafts.get(conversationId);
    if (written.text !== text) return;
    this.#ports.drafts.set(conversationId, { ...written, text: '' });
    if (conversationId !== this.#conversationId) return;
    this.#history.forget();
    this.#take();
  }

  clear(): void {
    this.#taken(this.#conversationId);
    this.#history.forget();
  }

  /** The draft of a conversation, which has none then. */
  #taken(id: string | null): Draft {
    const draft = this.#ports.drafts.get(id);
    this.#ports.drafts.set(id, EMPTY_DRAFT);
    if (id === this.#conversationId) this.#take();
    return draft;
  }

  #prepend(id: string | null, { text, attachments }: Draft): void {
    const written = this.#ports.drafts.get(id);
    this.#ports.drafts.set(id, {
      text: joinedTexts(text, written.text),
      attachments: [...attachments, ...written.attachments],
    });
    if (id === this.#conversationId) this.#take();
  }

  /** A text says why it can't be attached. */
  async #read(file: File): Promise<Attachment | string> {
    try {
      const attachment = await attachmentFrom(file, this.#ports.model());
      refuseTooMuchMedia(this.attachments, attachment, file.size);
      return attachment;
    } catch (error) {
      return error instanceof NotAttachable ? error.message : `${file.name} could not be read: ${String(error)}`;
    }
  }

  #hasRoomFor(what: string): boolean {
    if (this.attachments.length < MAX_ATTACHMENTS) return true;
    this.#ports.refused(noRoomText(what));
    return false;
  }

  #add(pending: Omit<PendingAttachment, 'id'>): void {
    this.attachments = [...this.attachments, { id: this.#nextId, ...pending }];
    this.#nextId += 1;
    this.#keep();
  }

  #take(): void {
    const { text, attachments } = this.#ports.drafts.get(this.#conversationId);
    this.text = text;
    this.attachments = attachments;
  }

  #keep(): void {
    this.#ports.drafts.set(this.#conversationId, { text: this.text, attachments: this.attachments });
  }
}

function noRoomText(what: string): string {
  return `A message may have up to ${MAX_ATTACHMENTS} attachments. ${what} was left out.`;
}
