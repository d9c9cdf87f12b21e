import { NotReading } from '../reading/reading-place.ts';

/** Matches a revision: `HEAD`, `main~2`, `origin/x^`, `v1.2`, an id, `@{u}`, `stash@{1}`. Source: gitrevisions(7). */
const REVISION = /^(?=.)[A-Za-z0-9_]?[\w./+-]*@?(?:(?<=@)\{(?:u|upstream|push|-?\d{1,6})\})?(?:[~^]\d{0,6})*$/;
const RANGE = /^(.*?)(\.{2,3})(?!\.)(.*)$/;
const COMMIT = '^{commit}';

/**
 * A revision or range with each end forced to be a commit: any other name of an object (its id, or `x-0-gID`, as
 * `describe` prints it) may be one of a file that was deleted for its secrets. Undefined if the operand is not written
 * like a revision.
 */
export function commitsOf(operand: string): string | undefined {
  const [, from, dots, to] = RANGE.exec(operand) ?? [];
  if (from !== undefined && dots !== undefined && to !== undefined) {
    const ends = [from, to].map((end) => (end === '' ? '' : commitOf(end)));
    return ends.includes(undefined) ? undefined : ends.join(dots);
  }
  if (!operand.startsWith('^')) return commitOf(operand);
  const left = commitOf(operand.slice(1));
  return left === undefined ? undefined : `^${left}`;
}

function commitOf(revision: string): string | undefined {
  if (revision.includes('..') || revision.startsWith('-') || !REVISION.test(revision)) return undefined;
  return revision + COMMIT;
}

/** `REVISION:PATH` with the revision forced to be a commit. Without a revision, the object is in the index. */
export function objectOfCommit(object: string): string {
  const colon = object.indexOf(':');
  const [revision, path] = [object.slice(0, colon), object.slice(colon + 1)];
  if (revision === '') return `:${path}`;
  const commit = commitOf(revision);
  if (commit === undefined) throw new NotReading('an object of something else than a commit');
  return `${commit}:${path}`;
}
