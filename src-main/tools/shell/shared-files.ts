import { join, relative, sep } from 'node:path';
import { isObeyed } from '../../policy/obeyed-files.ts';
import type { ToolContext } from '../contract.ts';
import { foundBelow } from './found-files.ts';

/**
 * The files in a root that have another name outside of it (hard links), or folders with them if there are more than
 * `most`: what a command writes to one would change the other, such as the store that pnpm shares between projects.
 * Undefined if they can't all be found, or are too many. The paths are real.
 */
export async function sharedBelow(
  root: string,
  { most, timeoutMs }: { readonly most: number; readonly timeoutMs: number },
  context: Pick<ToolContext, 'processes' | 'signal'>,
): Promise<readonly string[] | undefined> {
  // Git's own can't be written in any case.
  const tests = ['-name', '.git', '-prune', '-o', '-type', 'f', '-links', '+1'];
  const { pairs, isWhole } = await foundBelow(root, { tests, identity: '%D:%i %n', timeoutMs }, context);
  if (!isWhole) return undefined;
  const names = new Map<string, number>();
  // One that is kept must not be changed by its other name either.
  for (const [identity, path] of pairs)
    if (!isObeyed(relative(root, path))) names.set(identity, (names.get(identity) ?? 0) + 1);
  const isShared = (identity: string) => (names.get(identity) ?? 0) < Number(identity.split(' ')[1]);
  const shared = pairs.flatMap(([identity, path]) => (isShared(identity) ? [relative(root, path).split(sep)] : []));
  // The deepest folders that are few enough.
  const deepest = Math.max(0, ...shared.map((segments) => segments.length));
  for (let depth = deepest; depth > 0; depth -= 1) {
    const places = new Set(shared.map((segments) => segments.slice(0, depth).join(sep)));
    if (places.size <= most) return [...places].map((place) => join(root, place));
  }
  return shared.length === 0 ? [] : undefined;
}
