import type { PutAside } from './tool-card.ts';

/** What follows names the entries. Undefined if none was put aside. */
export function putAsideText({ count }: Pick<PutAside, 'count'>): string | undefined {
  if (count === 0) return undefined;
  const [them, one] = count === 1 ? ['it', 'it'] : ['them', 'one'];
  return `Put aside, because other programs obey ${them} automatically. To use ${one}, check it and rename it back.`;
}

export const NOT_ALL_ASIDE_TEXT =
  'Some files that the command made could not be found or renamed, and other programs may obey them. Look through the folder.';
