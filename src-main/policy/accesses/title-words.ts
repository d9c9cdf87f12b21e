/** A longer name is shown in the card's parts instead of its title. */
export const MAX_NAME_LENGTH = 80;
/** A name of this form can't be mistaken for our own words. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._@+-]*$/u;

/** The verb with the name of a single thing, or with the number of several. */
export function named(verb: string, names: readonly string[], one: string, many: string, verbOfMany = verb): string {
  const different = [...new Set(names)];
  const [name = ''] = different;
  if (different.length > 1) return `${verbOfMany} ${different.length} ${many}?`;
  if (name === '' || name.length > MAX_NAME_LENGTH) return `${verbOfMany} ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}?`;
  return `${verb} ${shownName(name)}?`;
}

export function shownName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `“${name}”`;
}
