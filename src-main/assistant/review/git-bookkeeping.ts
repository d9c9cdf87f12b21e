/** Files in `.git` that Git writes in the course of a commit, a merge, a fetch or a switch. */
const FILE = /^(?:[A-Z_]*HEAD|COMMIT_EDITMSG|(?:MERGE|SQUASH)_MSG|MERGE_MODE|index|packed-refs)$/;
/** Folders whose files are named after references. */
const OF_REFERENCES: ReadonlySet<string> = new Set(['refs', 'logs']);
/** The folders and files of its objects. */
const OF_OBJECTS =
  /^(?:[0-9a-f]{2}|[0-9a-f]{38}|[0-9a-f]{62}|pack|pack-[0-9a-f]{40,64}\.[a-z]{2,6}|info|packs|commit-graph)$/;

/**
 * Whether Git itself writes this file (a real path), such as the objects and the log of a commit. No program runs it,
 * and a review of it would show nothing that a user could judge. Its configuration and its hooks are no part of it, nor
 * is whatever else somebody puts into its folder.
 */
export function isBookkeepingOfGit(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const [first = '', ...rest] = parts.slice(parts.indexOf('.git') + 1);
  if (!parts.includes('.git')) return false;
  if (rest.length === 0) return FILE.test(first);
  return OF_REFERENCES.has(first) || (first === 'objects' && rest.every((name) => OF_OBJECTS.test(name)));
}
