/** What is in the workspace is named from there; what is elsewhere, in full. */
export function pathFrom(workspace: string, path: string): string {
  const folder = `${workspace.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}

/** Whether a path is a folder or lies below it, by their names alone. */
export function isInFolder(folder: string, path: string): boolean {
  const outer = folder.replaceAll('\\', '/').replace(/\/+$/, '');
  const inner = path.replaceAll('\\', '/');
  return inner === outer || inner.startsWith(`${outer}/`);
}
