/** The path relative to the workspace if it is inside, otherwise the full path. */
export function pathFrom(workspace: string, path: string): string {
  const folder = `${workspace.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '')}/`;
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}

/** Whether a path is the folder or inside it, by name only. */
export function isInFolder(folder: string, path: string): boolean {
  const outer = folder.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  const inner = path.replaceAll('\\', '/');
  return inner === outer || inner.startsWith(`${outer}/`);
}
