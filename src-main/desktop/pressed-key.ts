/** A key press, as delivered by the system. */
export interface PressedKey {
  /** The DOM's name of the key, such as `a` or `Enter`. It is `Process` if an input method took the key. */
  readonly key: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

/** Whether the key writes this character. Control and Alt together are AltGr. */
export function makesText({ key, control, alt, meta }: PressedKey): boolean {
  return [...key].length === 1 && !meta && control === alt;
}

export function pastes({ key, control, meta, shift, alt }: PressedKey, platform: NodeJS.Platform): boolean {
  if (key === 'Insert') return shift && !control && !meta && !alt;
  return key.toLowerCase() === 'v' && !alt && (platform === 'darwin' ? meta : control);
}
