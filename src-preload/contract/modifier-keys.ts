const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock']);

/** Whether a key, given by its DOM name, does nothing by itself. */
export function isModifier({ key }: { readonly key: string }): boolean {
  return MODIFIERS.has(key);
}
