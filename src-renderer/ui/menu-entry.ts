import type { Component } from 'svelte';

export interface MenuEntry {
  readonly label: string;
  readonly note?: string | null;
  readonly icon?: Component;
  /** Set in menus that choose one of several: a check mark stands before the chosen one. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly onselect: () => void;
}
