import { GIT_ENVIRONMENT } from '../git/git-reads.ts';
import { safePath } from './find-program.ts';
import type { ReadingPlace } from './reading-place.ts';

/** These variables affect the appearance of output, not behaviour. */
const KEPT = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
/** A home folder without personal files: no `.bashrc`, `.jq`, `.gitconfig`. */
const NO_HOME = '/nonexistent';

/**
 * The environment of a read-only line. It has nothing that could inject options, code or other programs
 * (`GREP_OPTIONS`, `RIPGREP_CONFIG_PATH`, `BASH_ENV`, `BASH_FUNC_…`, `LD_PRELOAD`, `GIT_…`, `LESSOPEN`, `PAGER`).
 */
export async function readingEnvironment(folder: string, place: ReadingPlace): Promise<NodeJS.ProcessEnv> {
  const kept = Object.entries(place.environment).filter(([name]) => KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    ...GIT_ENVIRONMENT,
    PATH: await safePath(place),
    HOME: NO_HOME,
    XDG_CONFIG_HOME: NO_HOME,
    XDG_CACHE_HOME: NO_HOME,
    PWD: folder,
    TERM: 'dumb',
  };
}
