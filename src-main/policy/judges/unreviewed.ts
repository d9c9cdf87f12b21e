import { dirname, resolve } from 'node:path';
import type { ExecuteAccess } from '../access.ts';
import type { PolicyInput } from './verdict.ts';

/**
 * Unreviewed files that a command could run: in the roots of its folder, of its program, and of any other path it is given (`node
 * /tools/build.js`, `--config=../x`).
 */
export function unreviewedAround({ unreviewedFiles, realPath }: PolicyInput, access: ExecuteAccess): readonly string[] {
  const paths = roughWords(access).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const named = paths
    .filter((path) => /[\\/]/.test(path))
    .map((path) => dirname(realPath(resolve(access.directory, path))));
  const folders = new Set([access.directory, ...named]);
  return [...new Set([...folders].flatMap((folder) => unreviewedFiles(folder)))];
}

/** Rather too many than too few: each only adds a folder to check. */
function roughWords({ command }: ExecuteAccess): readonly string[] {
  return command.kind === 'argv' ? command.argv : command.line.split(/[\s'"`()|&;<>]+/);
}
