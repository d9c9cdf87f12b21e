import { untrack } from 'svelte';
import { on } from 'svelte/events';

interface KeyFocusPorts {
  readonly chat: () => { readonly isAsking: boolean; messageField(isFree: boolean): void };
  readonly field: () => HTMLElement | null;
  readonly isEmpty: () => boolean;
}

/**
 * What the keys of this page are used for; main is told when a question may take them. Made while a component is set
 * up.
 */
export class KeyFocus {
  isPageFocused = $state(document.hasFocus());
  /** An input method composes a text that is not in a field yet. */
  #isComposing = $state(false);
  /** Something else in the page is used with the keyboard. */
  #isElsewhere = $state(false);
  readonly #ports: KeyFocusPorts;
  readonly #isFree = $derived.by(() => !this.#isComposing && !this.#isElsewhere && this.#ports.isEmpty());

  constructor(ports: KeyFocusPorts) {
    this.#ports = ports;
    $effect(() => this.#listen());
    $effect(() => {
      const isFree = this.#isFree;
      untrack(() => ports.chat().messageField(isFree));
    });
    $effect(() => () => ports.chat().messageField(false));
  }

  #listen(): () => void {
    const ends = [
      on(document, 'focusin', () => this.#look()),
      // The next element gets the focus after this event.
      on(document, 'focusout', () => setTimeout(() => this.#look())),
      on(document, 'compositionstart', () => {
        this.#isComposing = true;
      }),
      on(document, 'compositionend', () => {
        this.#isComposing = false;
      }),
      on(window, 'focus', () => {
        this.isPageFocused = true;
      }),
      on(window, 'blur', () => this.#pageLeft()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #look(): void {
    const focused = document.activeElement;
    const composer = this.#ports.field()?.closest('.place');
    this.#isElsewhere = focused !== null && focused !== document.body && composer?.contains(focused) !== true;
  }

  /** What is typed at a question that took the keyboard is written in the message field. */
  #pageLeft(): void {
    this.isPageFocused = false;
    if (this.#ports.chat().isAsking && this.#isFree) this.#ports.field()?.focus({ preventScroll: true });
  }
}
