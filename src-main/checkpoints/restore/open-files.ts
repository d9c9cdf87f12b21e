import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../base/errors.ts';

/** The access mode in the flags of an open file (open(2)): 1 is to write, 2 is both. */
const ACCESS_MODE = 0o3;
/** The process or the file was closed meanwhile, or belongs to another user. */
const NOT_TO_BE_SEEN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR']);

/**
 * Those of the paths that a process of this user has open, and whether for writing. Empty where the system has no
 * `/proc`: macOS would need a program for it (lsof), and Windows refuses to replace an open file by itself.
 */
export function openFiles(paths: ReadonlySet<string>): ReadonlyMap<string, 'read' | 'write'> {
  const found = new Map<string, 'read' | 'write'>();
  if (process.platform !== 'linux' || paths.size === 0) return found;
  for (const process of ifSeen(() => readdirSync('/proc')) ?? []) {
    if (!/^\d+$/.test(process)) continue;
    for (const descriptor of ifSeen(() => readdirSync(`/proc/${process}/fd`)) ?? []) {
      const path = ifSeen(() => readlinkSync(`/proc/${process}/fd/${descriptor}`));
      if (path === undefined || !paths.has(path) || found.get(path) === 'write') continue;
      const about = ifSeen(() => readFileSync(`/proc/${process}/fdinfo/${descriptor}`, 'utf8'));
      const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(about ?? '')?.[1] ?? '0', 8);
      found.set(path, (flags & ACCESS_MODE) === 0 ? 'read' : 'write');
    }
  }
  return found;
}

function ifSeen<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (NOT_TO_BE_SEEN.has(systemCode(error))) return undefined;
    throw error;
  }
}
