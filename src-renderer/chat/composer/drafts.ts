import type { PendingAttachment } from './attachments.ts';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly PendingAttachment[];
}

export const EMPTY_DRAFT: Draft = { text: '', attachments: [] };

const KEY = 'steward.drafts';
/** Typed text is short. Longer, pasted text is kept only as long as the page. */
const MAX_KEPT_CHARACTERS = 50_000;

/** Unsent drafts, one per conversation. Their text survives a reload of the page; attachments do not. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #sending = new Map<string, string>();
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    for (const [id, text] of this.#stored()) this.#drafts.set(id, { text, attachments: [] });
  }

  /** `id` is null for a new conversation. */
  get(id: string | null): Draft {
    return this.#drafts.get(id ?? '') ?? EMPTY_DRAFT;
  }

  set(id: string | null, draft: Draft): void {
    if (draft.text === '' && draft.attachments.length === 0) this.#drafts.delete(id ?? '');
    else this.#drafts.set(id ?? '', draft);
    this.#store();
  }

  /** What is on its way to main is a draft again if the page ends before main has answered (`null`). */
  setSending(id: string | null, text: string | null): void {
    if (text === null) this.#sending.delete(id ?? '');
    else this.#sending.set(id ?? '', text);
    this.#store();
  }

  #store(): void {
    const ids = new Set([...this.#sending.keys(), ...this.#drafts.keys()]);
    const texts = [...ids].flatMap((id) => {
      const text = joinedTexts(this.#sending.get(id) ?? '', this.#drafts.get(id)?.text ?? '');
      return text !== '' && text.length <= MAX_KEPT_CHARACTERS ? [[id, text]] : [];
    });
    try {
      this.#storage.setItem(KEY, JSON.stringify(texts));
    } catch {
      // A page without storage, or a full one: the draft is still in memory.
    }
  }

  #stored(): readonly (readonly [string, string])[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isEntry) : [];
    } catch {
      // Data that another version left there must not prevent the start.
      return [];
    }
  }
}

/** Joins the texts in their order, each as a paragraph. */
export function joinedTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function isEntry(entry: unknown): entry is readonly [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
}
