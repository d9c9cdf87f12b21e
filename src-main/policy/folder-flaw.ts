import { access, constants, stat } from 'node:fs/promises';
import type { FolderFlaw } from '../../src-preload/contract/folder-flaw.ts';
import { systemCode } from '../base/errors.ts';

/**
 * Why tools can't read the folder, or undefined if they can. It is looked at each time, because a drive can come and
 * go.
 */
export async function folderFlaw(folder: string): Promise<FolderFlaw | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'not_folder';
    await access(folder, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    return code === 'EACCES' || code === 'EPERM' ? 'no_permission' : 'unreadable';
  }
}
