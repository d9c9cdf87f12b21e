import { sep } from 'node:path';

const foldsCase = process.platform === 'win32' || process.platform === 'darwin';

/** macOS may give the name of one file in either Unicode form. */
function comparable(path: string): string {
  return foldsCase ? path.normalize('NFC').toLowerCase() : path;
}

/**
 * Whether `path` is `folder` or lies below it. Both are absolute and normalised; compared by segments, so
 * `/w/proj-evil` is not inside `/w/proj`. Source: tool catalogue A.11.
 */
export function isInside(folder: string, path: string): boolean {
  const outer = comparable(folder);
  const inner = comparable(path);
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Whether a path uses Windows syntax for something other than a plain file on a drive: network shares, devices,
 * alternate streams, a drive's current folder, names that Windows shortens. On other systems only paths that are
 * clearly meant for Windows are refused (`C:\Windows\System32`, `\\server\share`), since a colon is an ordinary
 * character there. Source: tool catalogue A.11 (5, 6); https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isRefusedWindowsSyntax(given: string, platform: NodeJS.Platform = process.platform): boolean {
  if (/^\\\\/.test(given)) return true;
  if (platform !== 'win32') return /^[a-z]:[\\/]/i.test(given);
  if (/^\/\//.test(given) || /^[\\/][\\/]/.test(given)) return true;
  if (/^[a-z]:(?![\\/])/i.test(given)) return true;
  const withoutDrive = given.replace(/^[a-z]:/i, '');
  return withoutDrive.split(/[\\/]/).some(isRefusedSegment);
}

function isRefusedSegment(segment: string): boolean {
  if (segment === '.' || segment === '..' || segment === '') return false;
  if (segment.includes(':') || /[. ]$/.test(segment)) return true;
  const base = segment.split('.')[0] ?? '';
  return DEVICE_NAME.test(base.trimEnd());
}
