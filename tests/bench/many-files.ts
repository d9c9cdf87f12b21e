import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Part of the folder's name: to be raised with any change of what is generated. */
const VERSION = 2;
const FILES_PER_FOLDER = 25;
const FOLDERS_PER_FOLDER = 6;
const EXTENSIONS = ['ts', 'js', 'json', 'md', 'py', 'css', 'html', 'txt'];

export const MANY_FILES = 100_000;
/** How many of them end in `.ts`. */
export const TS_FILES = MANY_FILES / EXTENSIONS.length;

/** A folder with this many empty files, 25 in each of its folders, made once and kept in the temporary folder. */
export function manyFiles(count: number): string {
  const tree = join(tmpdir(), `steward-bench-files-${VERSION}-${count}`);
  if (existsSync(tree)) return tree;
  const unfinished = `${tree}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  let folder = '';
  for (let index = 0; index < count; index++) {
    if (index % FILES_PER_FOLDER === 0) {
      folder = join(unfinished, folderName(index / FILES_PER_FOLDER));
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(folder, `file-${index}.${EXTENSIONS[index % EXTENSIONS.length]}`), '');
  }
  renameSync(unfinished, tree);
  return tree;
}

/** Names folders like a tree in which each holds a few others: 0 is the root's first child, 7 is inside 0. */
function folderName(number: number): string {
  const parent = Math.floor(number / FOLDERS_PER_FOLDER) - 1;
  return parent < 0 ? `module-${number}` : join(folderName(parent), `part-${number}`);
}
