/** A key press as Electron tells it before the page gets it (`before-input-event`). */
export interface KeyInput {
  readonly type: string;
  /** The key's name in the DOM: `q`, `+`, `F6`. */
  readonly key: string;
  readonly control: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

/** An entry of the menu with a key: an accelerator as Electron writes them. */
export interface MenuKey {
  readonly accelerator: string;
  readonly run: () => void;
}

/**
 * The entry that this key press means. Electron itself looks only after a page has returned the key unused, and so not
 * at all while the focus moves from one view to another, or if the page uses it up.
 */
export function menuKeyOf(input: KeyInput, keys: readonly MenuKey[], isMac: boolean): MenuKey | undefined {
  if (input.type !== 'keyDown' && input.type !== 'rawKeyDown') return undefined;
  return keys.find(({ accelerator }) => isPressed(input, accelerator, isMac));
}

function isPressed({ key, control, meta, shift, alt }: KeyInput, accelerator: string, isMac: boolean): boolean {
  const parts = accelerator.split('+');
  const name = parts.at(-1) ?? '';
  const wanted = name === 'Plus' ? '+' : name.toLowerCase();
  if (key.toLowerCase() !== wanted) return false;
  const mod = parts.includes('CmdOrCtrl');
  if (control !== (parts.includes('Ctrl') || (mod && !isMac))) return false;
  if (meta !== (parts.includes('Cmd') || (mod && isMac)) || alt) return false;
  // Which signs and digits need Shift depends on the keyboard.
  return /^[a-z]$|^f\d+$/.test(wanted) ? shift === parts.includes('Shift') : true;
}
