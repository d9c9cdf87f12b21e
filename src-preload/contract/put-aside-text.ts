import type { PutAside } from './tool-card.ts';

/** What follows names the entries. Undefined if none was put aside. */
export function putAsideText({ count }: Pick<PutAside, 'count'>): string | undefined {
  if (count === 0) return undefined;
  const [them, themselves, one] = count === 1 ? ['it', 'itself', 'it'] : ['them', 'themselves', 'one'];
  return `Put aside, because other programs obey ${them} by ${themselves}. To use ${one}, look at it and give it its name again.`;
}

export const NOT_ALL_ASIDE_TEXT =
  'Some that the command made could not be found or put aside. Programs may obey them: look through the folder.';
