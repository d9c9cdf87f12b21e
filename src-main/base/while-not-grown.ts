/**
 * Remembers what was made of a list that is only appended to, until it has grown: several parts ask for the same
 * between two appends, and each answer takes as long as the list is.
 */
export function whileNotGrown<T, Made>(make: (list: readonly T[]) => Made): (list: readonly T[]) => Made {
  const known = new WeakMap<readonly T[], { readonly length: number; readonly made: Made }>();
  return (list) => {
    const last = known.get(list);
    if (last?.length === list.length) return last.made;
    const made = make(list);
    known.set(list, { length: list.length, made });
    return made;
  };
}
