import { readdirSync, readFileSync } from 'node:fs';

/**
 * Proportional set size of a process and all that descend from it, in MB: pages that several processes share are
 * counted once among all that have them. Linux only; of sandboxed processes only root may read it. Source: proc(5),
 * smaps_rollup.
 */
export function megabytesOfTree(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + kilobytesOf(each), 0) / 1_024;
}

/**
 * Processor time that a process and all that descend from it have taken so far, in ms. Linux only. Source: proc(5), stat:
 * fields 14 and 15, in hundredths of a second.
 */
export function processorTimeOfTree(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + 10 * ticksOf(each), 0);
}

function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const withChildren = (pid: number): number[] => {
    const children = [...parents].filter(([, parent]) => parent === pid).map(([child]) => child);
    return [pid, ...children.flatMap(withChildren)];
  };
  return withChildren(root);
}

function parentOf(pid: number): number | undefined {
  const parent = fieldsAfterName(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function ticksOf(pid: number): number {
  const [user = 0, system = 0] = (fieldsAfterName(pid) ?? []).slice(11, 13).map(Number);
  return user + system;
}

function fieldsAfterName(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It ended while it was looked at.
    return undefined;
  }
}

function kilobytesOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB$/m.exec(memoryMaps(pid));
  return found === null ? 0 : Number(found[1]);
}

/** Empty: the process ended while it was looked at, and holds nothing any more. */
function memoryMaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'ENOENT')) return '';
    throw error;
  }
}
