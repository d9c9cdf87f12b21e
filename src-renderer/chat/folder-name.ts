/** The last segment of a path, as people name folders. For the root of a drive, the root itself. */
export function folderName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}
