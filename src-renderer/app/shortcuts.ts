import { isModHeld } from '../ui/key-names.ts';

export type Shortcut = 'new' | 'search' | 'settings' | 'stop' | 'question';

interface KeyPress {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

const WITH_MOD: Readonly<Record<string, Shortcut>> = { n: 'new', k: 'search', ',': 'settings' };

/** Shortcuts that work everywhere in the window. The menu sends the same names. */
export function shortcutOf(press: KeyPress): Shortcut | undefined {
  if (press.isComposing) return undefined;
  if (press.key === 'Escape')
    return press.shiftKey || press.altKey || press.ctrlKey || press.metaKey ? undefined : 'stop';
  if (press.shiftKey || press.altKey || !isModHeld(press)) return undefined;
  return WITH_MOD[press.key.toLowerCase()];
}
