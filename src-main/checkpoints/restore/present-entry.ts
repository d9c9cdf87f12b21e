import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { FileProblem, isMissing } from '../../base/file-problem.ts';
import { NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { PinnedDirectory } from '../../base/pinned-directory.ts';
import { digestOfOpenFile } from '../content-store.ts';
import { ABSENT, type EntryState, permissionsOf } from '../entry-state.ts';

/**
 * What is at a real path now. Follows no symlink, and opens only regular files. A path whose folder is gone, or is now
 * a symlink, has nothing. Throws the system's errors, such as EACCES for a folder that may not be searched.
 */
export function presentEntry(path: string): EntryState {
  const parent = folderIfThere(dirname(path));
  if (parent === undefined) return ABSENT;
  try {
    return entryAt(parent.entry(basename(path)));
  } finally {
    parent.close();
  }
}

/** Undefined if there is no folder under this real path. */
export function folderIfThere(folder: string): PinnedDirectory | undefined {
  try {
    return PinnedDirectory.openSync(folder);
  } catch (error) {
    const isElsewhere = error instanceof FileProblem && error.code === 'changed';
    if (isElsewhere || isMissing(error) || systemCode(error) === 'ELOOP') return undefined;
    throw error;
  }
}

function entryAt(place: string): EntryState {
  const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return ABSENT;
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(place) };
  const mode = permissionsOf(stats);
  if (stats.isDirectory()) return { kind: 'folder', mode, modified: String(stats.mtimeNs) };
  if (!stats.isFile()) return { kind: 'other', mode };
  return (
    fileAt(place) ?? { kind: 'file', size: Number(stats.size), mode, modified: String(stats.mtimeNs), digest: null }
  );
}

/** Undefined if the file may not be read. */
function fileAt(place: string): EntryState | undefined {
  const file = openIfAllowed(place);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file, { bigint: true });
    const mode = permissionsOf(stats);
    // It was replaced since it was looked at.
    if (!stats.isFile()) return { kind: 'other', mode };
    const digest = digestOfOpenFile(file);
    return { kind: 'file', size: Number(stats.size), mode, modified: String(stats.mtimeNs), digest };
  } finally {
    closeSync(file);
  }
}

function openIfAllowed(place: string): number | undefined {
  try {
    return openSync(place, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(systemCode(error))) return undefined;
    throw error;
  }
}
