import { statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';

/** The place that the dialog for saving begins in: the first folder that exists. All paths are absolute. */
export function savePlace(suggestedName: string, folders: readonly (string | null)[]): string {
  // A name from a page or a server chooses no folder.
  const name = basename(suggestedName);
  const folder = folders.find((each) => each !== null && isAbsolute(each) && isFolder(each));
  return folder == null ? name : join(folder, name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
