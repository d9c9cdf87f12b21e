import { namesIn } from '../base/names-in.ts';

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
