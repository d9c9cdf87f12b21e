/** A short message beside the page. Errors stay until closed, or until it works; others disappear after a while. */
export interface Toast {
  readonly id: number;
  readonly kind: 'message' | 'error';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** What failed, where it can be tried again. */
  readonly about?: string;
}

/** Long enough to read the text and to reach the button. */
const SHOWN_MS = 8_000;
const MAX_SHOWN = 4;

export class Toasts {
  shown: readonly Toast[] = $state.raw([]);
  #nextId = 1;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, action?: Toast['action']): void {
    const id = this.#add({ kind: 'message', text, action });
    this.letGo(id);
  }

  /** Shows an error. The same text is not shown twice at once. */
  fail(text: string, action?: Toast['action'], about?: string): void {
    if (this.shown.some((toast) => toast.kind === 'error' && toast.text === text)) return;
    if (about !== undefined) this.settle(about);
    this.#add({ kind: 'error', text, action, about });
  }

  /** Removes earlier errors about something that was tried again. */
  settle(about: string): void {
    for (const toast of this.shown.filter((each) => each.about === about)) this.close(toast.id);
  }

  close(id: number): void {
    this.hold(id);
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** The pointer or the focus is on it: it stays. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  letGo(id: number): void {
    this.hold(id);
    if (this.shown.find((toast) => toast.id === id)?.kind !== 'message') return;
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), SHOWN_MS),
    );
  }

  #add(toast: Omit<Toast, 'id'>): number {
    const id = this.#nextId;
    this.#nextId += 1;
    for (const old of this.shown.slice(0, -(MAX_SHOWN - 1))) this.hold(old.id);
    this.shown = [...this.shown.slice(-(MAX_SHOWN - 1)), { id, ...toast }];
    return id;
  }
}

/** The toasts of this page. */
export const toasts = new Toasts();
