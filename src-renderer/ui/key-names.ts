/** Whether the window runs on a Mac, where shortcuts are written with symbols. */
function isMac(): boolean {
  return typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');
}

const MAC: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Backspace: '⌫' };
const OTHERS: Readonly<Record<string, string>> = { Mod: 'Ctrl', Enter: '↵' };

/** The keys of `Mod+K` on this machine: `['Ctrl', 'K']`. */
export function keyNames(keys: string, mac: boolean = isMac()): string[] {
  const names = mac ? MAC : OTHERS;
  return keys.split('+').map((key) => names[key] ?? key);
}

/** The modifier of shortcuts on this machine is held. */
export function isModHeld(event: { readonly metaKey: boolean; readonly ctrlKey: boolean }): boolean {
  return isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}
