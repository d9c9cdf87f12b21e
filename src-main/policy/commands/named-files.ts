import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { canonicalHash } from '../../base/canonical-json.ts';
import type { GivenCommand } from './command-line.ts';
import { HOME, pathsNamed } from './places-outside.ts';

/** Lines that people write don't name this many files. */
const MAX_LOOKS = 2_000;

/**
 * A hash that changes when a file that the command names is written, replaced or linked elsewhere. Undefined if it names
 * none. An answer is bound to it: `sh build.sh` was allowed as it was when the user read the question, whoever has
 * written it since. Names count in the folder of the command and in every folder that it names (`cd tools; sh build.sh`).
 */
export function stateOfNamedFiles(command: GivenCommand, directory: string): string | undefined {
  const folders = new Set([directory]);
  const files = new Map<string, unknown>();
  const paths: string[] = [];
  for (const { text, isHome } of pathsNamed(command)) {
    if (paths.length === MAX_LOOKS) break;
    paths.push(isHome ? text.replace(HOME, homedir()) : text);
  }
  let left = MAX_LOOKS;
  // A set also visits what is added meanwhile.
  for (const folder of folders) {
    for (const path of paths) {
      if (left === 0) break;
      left -= 1;
      const found = resolve(folder, path);
      const stats = statsOf(found);
      if (stats?.isDirectory()) folders.add(found);
      else if (stats?.isFile()) files.set(found, [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs]);
    }
  }
  return files.size === 0 ? undefined : canonicalHash([...files]);
}

function statsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Nothing can be read there, such as below a file or in a folder of another user.
    return undefined;
  }
}
