import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { compileGlob } from '../../../base/glob.ts';
import { realPathOf } from '../../../base/real-path.ts';
import type { Walk } from './reading-command.ts';
import { NotReading, type ReadingPlace } from './reading-place.ts';

/**
 * The real paths that links in a folder to be read lead to. Throws `NotReading` if it contains a secret file, or
 * anything that can't be checked.
 */
export async function linksReadBelow(folder: string, walk: Walk, place: ReadingPlace): Promise<readonly string[]> {
  const links: string[] = [];
  const ahead = [folder];
  for (let here = ahead.pop(); here !== undefined; here = ahead.pop()) {
    const found = await readdir(here, { withFileTypes: true }).catch(() => []);
    place.work.add(found.length);
    for (const entry of found) {
      const path = `${here}/${entry.name}`;
      if (isUnspeakable(entry.name)) throw new NotReading('a name that is not text');
      if (entry.isDirectory()) {
        if (!walk.leftOut.includes(entry.name)) ahead.push(path);
      } else links.push(...(await linksOfEntry(path, entry, walk, place)));
    }
  }
  return links;
}

async function linksOfEntry(path: string, entry: Dirent, walk: Walk, place: ReadingPlace): Promise<readonly string[]> {
  if (entry.isSymbolicLink()) {
    if (!walk.followsLinks) return [];
    const { path: real } = await realPathOf(path).catch((error: unknown) => {
      throw new NotReading('a link that leads nowhere', { cause: error });
    });
    if (!place.contains(real) || (await place.isSecretFile(real, path)))
      throw new NotReading('a link to what may not be read');
    // A linked folder is refused because its content was not checked.
    if ((await stat(real).catch(() => undefined))?.isDirectory()) throw new NotReading('a link to a folder');
    return [real];
  }
  if (mayBeRead(entry.name, walk) && (await place.isSecretFile(path))) throw new NotReading('a secret file');
  return [];
}

/** Whether a name is not valid UTF-8, so that our decoded path is a different one. */
export function isUnspeakable(name: string): boolean {
  return name.includes('\ufffd');
}

function mayBeRead(name: string, { only }: Walk): boolean {
  return only.length === 0 || only.some((pattern) => mayMatch(pattern, name));
}

/**
 * Whether a pattern may match a name. When in doubt, the answer is yes: only `*` and `?` are interpreted,
 * case-insensitively.
 */
function mayMatch(pattern: string, name: string): boolean {
  if (/[[\]\\]/.test(pattern)) return true;
  return compileGlob(pattern.replace(/[{},]/g, '\\$&').toLowerCase())(name.toLowerCase());
}
