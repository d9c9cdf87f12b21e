import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isInside } from '../../../base/paths.ts';
import { realPathOf } from '../../../base/real-path.ts';
import { linksReadBelow } from './readable-below.ts';
import type { Walk } from './reading-command.ts';
import { NotReading, type ReadingPlace } from './reading-place.ts';

/** The name of standard input, for anything that takes file names. */
const STDIN = '-';

/**
 * The real paths that a command's path leads to, relative to a real folder; there are none for standard input. Throws
 * `NotReading` unless it is a readable file or folder inside the roots. It is resolved the way the system does, so
 * `link/..` may lead somewhere unexpected.
 */
export async function readablePaths(
  given: string,
  folder: string,
  { kind, walk }: { readonly kind: 'contents' | 'names'; readonly walk: Walk | null },
  place: ReadingPlace,
): Promise<readonly string[]> {
  if (given === STDIN) return [];
  if (given === '') throw new NotReading('an empty path');
  const absolute = isAbsolute(given) ? given : `${folder}/${given}`;
  const { path: real } = await realPathOf(absolute).catch((error: unknown) => {
    throw new NotReading('a path that leads nowhere', { cause: error });
  });
  if (!place.contains(real)) throw new NotReading('a path outside the roots');
  if (kind === 'contents' && (await place.isSecretFile(real, absolute))) throw new NotReading('a secret file');
  const stats = await stat(real).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return [real];
  if (!stats.isDirectory()) throw new NotReading('neither a file nor a folder');
  if (walk === null) return [real];
  if (isInside(real, place.profileDirectory)) throw new NotReading('a folder with the profile in it');
  return kind === 'contents' ? [real, ...(await linksReadBelow(real, walk, place))] : [real];
}
