import { isDeepStrictEqual } from 'node:util';

/**
 * A form that is submitted, without what would take back changes made in config.json since it was opened: a field that
 * the user left alone gets its current value. `opened` is the form as it was filled at first, `now` as it would be
 * filled now.
 */
export function withLaterChanges<Form extends object>(
  submitted: Form,
  opened: object | undefined,
  now: object | undefined,
): Form {
  if (opened === undefined || now === undefined) return submitted;
  const untouched = Object.keys(submitted).filter((key) =>
    isDeepStrictEqual(Reflect.get(submitted, key), Reflect.get(opened, key)),
  );
  return { ...submitted, ...Object.fromEntries(untouched.map((key) => [key, Reflect.get(now, key)])) };
}

/** Merges lists of values with names in the same way: those that the user left alone are as the list has them now. */
export function withLaterValues<Value extends { readonly name: string }>(
  submitted: readonly Value[],
  opened: readonly Value[],
  now: readonly Value[],
): Value[] {
  const named = (values: readonly Value[], name: string) => values.find((value) => value.name === name);
  const kept = submitted.flatMap((value) =>
    isDeepStrictEqual(value, named(opened, value.name)) ? (named(now, value.name) ?? []) : [value],
  );
  const later = now.filter(({ name }) => named(opened, name) === undefined && named(submitted, name) === undefined);
  return [...kept, ...later];
}
