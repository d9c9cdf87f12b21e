const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock']);

/** This key does nothing by itself. `key`: its DOM name. */
export function isModifier({ key }: { readonly key: string }): boolean {
  return MODIFIERS.has(key);
}
