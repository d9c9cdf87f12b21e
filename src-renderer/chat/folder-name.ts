/** The last part of a path, as folders are called in conversation. The root of a drive is its own name. */
export function folderName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}
