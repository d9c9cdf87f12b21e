import { compileGlob, GlobError } from '../../base/glob.ts';

export function isGlob(name: string): boolean {
  return /[*?]/.test(name);
}

/** A matcher for names of tools and groups. Only `*` and `?` are special; an invalid pattern matches nothing. */
export function nameMatcher(glob: string): (name: string) => boolean {
  try {
    return compileGlob(glob.replace(/[\\{}[\]]/g, '\\$&'));
  } catch (error) {
    if (error instanceof GlobError) return () => false;
    throw error;
  }
}
