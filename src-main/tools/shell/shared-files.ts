import { relative, sep } from 'node:path';
import { isObeyed } from '../../policy/obeyed-files.ts';
import type { Found } from './found-files.ts';
import { asText } from './walk.ts';

/**
 * The files in a root that have another name outside of it (hard links), or folders with them if there are more than
 * `most`: what a command writes to one would change the other, such as the store that pnpm shares between projects.
 * Undefined if they are too many. The paths are like those that were found.
 */
export function sharedIn({ folder, linked }: Found, most: number): readonly string[] | undefined {
  const root = asText(folder);
  const names = new Map<string, number>();
  // One that is kept must not be changed by its other name either.
  for (const { identity, path } of linked)
    if (!isObeyed(relative(root, path))) names.set(identity, (names.get(identity) ?? 0) + 1);
  const outside = linked.filter(({ identity, names: all }) => (names.get(identity) ?? 0) < all);
  const shared = outside.map(({ path }) => relative(root, path).split(sep));
  // The deepest folders that are few enough.
  const deepest = Math.max(0, ...shared.map((segments) => segments.length));
  for (let depth = deepest; depth > 0; depth -= 1) {
    const places = new Set(shared.map((segments) => segments.slice(0, depth).join(sep)));
    if (places.size <= most) return [...places].map((place) => `${root}/${place}`);
  }
  return shared.length === 0 ? [] : undefined;
}
