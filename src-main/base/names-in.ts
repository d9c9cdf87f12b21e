import { readdirSync } from 'node:fs';

/** The names in a folder. Empty if it doesn't exist or can't be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Whether something right in this folder has a name, in whatever letter case; a folder that cannot be listed holds
 * nothing.
 */
export function isNameIn(folder: string): (name: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return (name) => {
    names ??= new Set(namesIn(folder).map((each) => each.toLowerCase()));
    return names.has(name.toLowerCase());
  };
}
