/** What is in the workspace is named from there; what is elsewhere, in full. */
export function pathFrom(workspace: string, path: string): string {
  const folder = `${workspace.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}
