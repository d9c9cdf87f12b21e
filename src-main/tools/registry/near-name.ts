import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: nobody mistypes them. */
const MAX_NAME_LENGTH = 100;

/**
 * The name that was probably meant: the same words in another spelling (`dry_run`, `dryRun`), else one with few other
 * letters.
 */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const plain = plainly(name);
  if (plain.length > MAX_NAME_LENGTH) return undefined;
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const each of names) {
    if (each.length > MAX_NAME_LENGTH) continue;
    const away = distance(plain, plainly(each));
    if (nearest === undefined || away < nearest.distance) nearest = { name: each, distance: away };
  }
  const mostApart = Math.max(1, Math.floor(plain.length / 3));
  return nearest !== undefined && nearest.distance <= mostApart ? nearest.name : undefined;
}

function plainly(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
