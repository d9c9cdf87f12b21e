import { dirname, resolve } from 'node:path';
import type { ExecuteAccess } from '../access.ts';
import type { PolicyInput } from './verdict.ts';

/**
 * Files that a command could run and that nobody has looked at: in the roots of its folder, of its program, and of whatever else
 * it is given by a path (`node /tools/build.js`, `--config=../x`).
 */
export function unreviewedAround({ unreviewedFiles, realPath }: PolicyInput, access: ExecuteAccess): readonly string[] {
  const paths = roughWords(access).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const named = paths
    .filter((path) => /[\\/]/.test(path))
    .map((path) => dirname(realPath(resolve(access.directory, path))));
  const folders = new Set([access.directory, ...named]);
  return [...new Set([...folders].flatMap((folder) => unreviewedFiles(folder)))];
}

/** Too many rather than too few: each only adds a folder to look into. */
function roughWords({ command }: ExecuteAccess): readonly string[] {
  return command.kind === 'argv' ? command.argv : command.line.split(/[\s'"`()|&;<>]+/);
}
