import { sep } from 'node:path';

const foldsCase = process.platform === 'win32' || process.platform === 'darwin';

/** macOS hands out names in either Unicode form for one and the same file. */
function comparable(path: string): string {
  return foldsCase ? path.normalize('NFC').toLowerCase() : path;
}

/**
 * Whether `path` is `folder` or lies below it. Both are absolute and normalised; compared by segments, so `/w/proj-evil` is
 * not inside `/w/proj`. Source: tool catalogue A.11.
 */
export function isInside(folder: string, path: string): boolean {
  const outer = comparable(folder);
  const inner = comparable(path);
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
