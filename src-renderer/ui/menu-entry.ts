import type { Component } from 'svelte';

export interface MenuEntry {
  readonly label: string;
  readonly note?: string | null;
  readonly icon?: Component;
  /** Set in menus that choose one of several: a check mark stands before the chosen one. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  /** What it opens has the focus of its own, so the menu does not return the focus to its button. */
  readonly takesFocus?: boolean;
  readonly onselect: (chosen: { readonly isShiftHeld: boolean }) => void;
}
