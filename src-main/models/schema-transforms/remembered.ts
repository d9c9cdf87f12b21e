/** Transforms each source once: schemas do not change, and every round of a turn offers the same tools. */
export function rememberedBySource<Source, T>(transform: (source: Source) => T): (source: Source) => T {
  const known = new WeakMap<object, { readonly made: T }>();
  return (source) => {
    if (typeof source !== 'object' || source === null) return transform(source);
    const kept = known.get(source) ?? { made: transform(source) };
    known.set(source, kept);
    return kept.made;
  };
}
