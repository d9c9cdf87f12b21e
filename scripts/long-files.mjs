// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './source-files.mjs';

/** From this number of lines on, a file is looked at: does it hold more than one thing? */
const LONG_LINES = 350;
const FOLDERS = ['src-main', 'src-preload', 'src-renderer', 'resources'];

/**
 * Lists files that may hold more than one thing. They cause a warning, never an error: a file that is cut to obey a
 * number is worse to read than a long one.
 * @param {string} root
 * @returns {string[]} `file: N lines`, the longest first
 */
export function longFiles(root) {
  return FOLDERS.flatMap((folder) => sourceFiles(root, folder))
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LONG_LINES)
    .sort((a, b) => b.lines - a.lines)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
}
