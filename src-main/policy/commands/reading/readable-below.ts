import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { compileGlob } from '../../../base/glob.ts';
import { realPathOf } from '../../../base/real-path.ts';
import type { Walk } from './reading-command.ts';
import { NotReading, type ReadingPlace } from './reading-place.ts';

/** Beyond that it is asked about: a command that goes through so much is worth a question, and looking would take too long. */
const MOST_ENTRIES = 100_000;
const LONGEST_MS = 3_000;

/** Throws `NotReading` if there is a secret file below a folder that would be read, or what cannot be looked through. */
export async function requireReadableBelow(folder: string, walk: Walk, place: ReadingPlace): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  const ahead = [folder];
  let entries = 0;
  for (let here = ahead.pop(); here !== undefined; here = ahead.pop()) {
    const found = await readdir(here, { withFileTypes: true }).catch(() => []);
    entries += found.length;
    if (entries > MOST_ENTRIES || performance.now() > deadline) throw new NotReading('too much to look through');
    for (const entry of found) {
      const path = `${here}/${entry.name}`;
      if (isUnspeakable(entry.name)) throw new NotReading('a name that is not text');
      if (entry.isDirectory()) {
        if (!walk.leftOut.includes(entry.name)) ahead.push(path);
      } else await requireReadableEntry(path, entry, walk, place);
    }
  }
}

async function requireReadableEntry(path: string, entry: Dirent, walk: Walk, place: ReadingPlace): Promise<void> {
  if (entry.isSymbolicLink()) {
    if (!walk.followsLinks) return;
    const { path: real } = await realPathOf(path).catch((error: unknown) => {
      throw new NotReading('a link that leads nowhere', { cause: error });
    });
    if (!place.contains(real) || (await place.isSecretFile(real)))
      throw new NotReading('a link to what may not be read');
    // What lies below it was not looked through.
    if ((await stat(real).catch(() => undefined))?.isDirectory()) throw new NotReading('a link to a folder');
    return;
  }
  if (mayBeRead(entry.name, walk) && (await place.isSecretFile(path))) throw new NotReading('a secret file');
}

/** Its bytes are no UTF-8: the path that we have of it is not its own. */
export function isUnspeakable(name: string): boolean {
  return name.includes('\ufffd');
}

function mayBeRead(name: string, { only }: Walk): boolean {
  return only.length === 0 || only.some((pattern) => mayMatch(pattern, name));
}

/** In doubt it does: only `*` and `?` are looked into, and in no letter case. */
function mayMatch(pattern: string, name: string): boolean {
  if (/[[\]\\]/.test(pattern)) return true;
  return compileGlob(pattern.replace(/[{},]/g, '\\$&').toLowerCase())(name.toLowerCase());
}
