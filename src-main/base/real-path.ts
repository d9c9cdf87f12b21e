import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { lstat, readlink, realpath as realpathOfSystem } from 'node:fs/promises';
import { join, parse, sep } from 'node:path';
import { errorMessage, systemCode } from './errors.ts';

export interface RealPath {
  /** Absolute, with all symlinks resolved; parts that don't exist yet are appended unchanged. */
  readonly path: string;
  readonly exists: boolean;
}

/** The real path, what of it exists, and the names below that which don't. */
interface Walked extends RealPath {
  readonly existing: string;
  readonly missing: readonly string[];
}

/**
 * The real path can't be determined: a loop of symlinks, a folder without search permission, a name that is too long.
 */
export class UnresolvablePath extends Error {
  override readonly name = 'UnresolvablePath';
  /** Real path up to and including the part that could not be read. */
  readonly reached: string;

  constructor(reached: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.reached = reached;
  }
}

type Found = { readonly kind: 'plain' | 'missing' } | { readonly kind: 'link'; readonly target: string };

/** The limit of Linux (path_resolution(7)). */
const MAX_LINKS = 40;

/** Yields one path after the other and receives what is there. */
function* walk(absolute: string): Generator<string, Walked, Found> {
  let root = parse(absolute).root;
  const ahead = segmentsOf(absolute.slice(root.length)).reverse();
  const behind: string[] = [];
  /** How many segments of `behind` exist; nothing below them needs to be looked up. */
  let existing = 0;
  let links = 0;
  /**
   * A link leads up out of a folder that does not exist: for the system it leads nowhere, even if its target exists.
   */
  let isBroken = false;
  for (let segment = ahead.pop(); segment !== undefined; segment = ahead.pop()) {
    if (segment === '..') {
      if (existing < behind.length) isBroken = true;
      behind.pop();
      existing = Math.min(existing, behind.length);
      continue;
    }
    if (existing < behind.length) {
      behind.push(segment);
      continue;
    }
    const here = join(root, ...behind, segment);
    const found = yield here;
    if (found.kind === 'link') {
      links += 1;
      if (links > MAX_LINKS) throw new UnresolvablePath(here, 'it leads through too many symbolic links');
      const targetRoot = parse(found.target).root;
      if (targetRoot !== '') {
        root = targetRoot;
        behind.length = 0;
        existing = 0;
      }
      ahead.push(...segmentsOf(found.target.slice(targetRoot.length)).reverse());
      continue;
    }
    behind.push(segment);
    if (found.kind === 'plain') existing = behind.length;
  }
  return {
    path: join(root, ...behind),
    exists: !isBroken && existing === behind.length,
    existing: join(root, ...behind.slice(0, existing)),
    missing: behind.slice(existing),
  };
}

function segmentsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((segment) => segment !== '' && segment !== '.');
}

/** Throws `UnresolvablePath` unless the failure means that nothing exists at this path. */
function whenUnreadable(path: string, error: unknown): Found {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  if (code === 'ENAMETOOLONG') throw new UnresolvablePath(path, 'the name is too long for this file system', error);
  if (code === 'EACCES' || code === 'EPERM') {
    throw new UnresolvablePath(path, 'a folder on the way may not be searched (permission denied)', error);
  }
  throw new UnresolvablePath(path, errorMessage(error), error);
}

/**
 * The real path of an absolute, normalised path, also of one that does not exist yet. Throws `UnresolvablePath`. What
 * exists of it is spelled as the system spells it: file systems may ignore case, and a drive of Windows may stand for a
 * folder. `realpath` is the system's own.
 */
export async function realPathOf(
  absolute: string,
  realpath: (path: string) => Promise<string> = realpathOfSystem,
): Promise<RealPath> {
  const whole = await realpath(absolute).catch(() => undefined);
  // If this fails, the path is resolved part by part below, which finds the reason.
  if (whole !== undefined) return { path: whole, exists: true };
  const steps = walk(absolute);
  let step = steps.next();
  while (!step.done) step = steps.next(await look(step.value));
  return spelled(step.value, await realpath(step.value.existing).catch(() => undefined));
}

async function look(path: string): Promise<Found> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    return isLink ? { kind: 'link', target: await readlink(path) } : { kind: 'plain' };
  } catch (error) {
    return whenUnreadable(path, error);
  }
}

/** Does the same without waiting, for a path or two at a time. */
export function realPathOfSync(absolute: string, realpath: (path: string) => string = realpathSync.native): RealPath {
  const whole = orUndefined(() => realpath(absolute));
  if (whole !== undefined) return { path: whole, exists: true };
  const steps = walk(absolute);
  let step = steps.next();
  while (!step.done) step = steps.next(lookSync(step.value));
  const { existing } = step.value;
  return spelled(
    step.value,
    orUndefined(() => realpath(existing)),
  );
}

function spelled({ path, exists, missing }: Walked, existing: string | undefined): RealPath {
  return { path: existing === undefined ? path : join(existing, ...missing), exists };
}

function orUndefined(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    // The walk finds the reason.
    return undefined;
  }
}

function lookSync(path: string): Found {
  try {
    return lstatSync(path).isSymbolicLink() ? { kind: 'link', target: readlinkSync(path) } : { kind: 'plain' };
  } catch (error) {
    return whenUnreadable(path, error);
  }
}

/** The target of a path, or the path itself if that can't be determined. */
export function realPathOrItself(path: string): string {
  try {
    return realPathOfSync(path).path;
  } catch (error) {
    if (error instanceof UnresolvablePath) return path;
    throw error;
  }
}
