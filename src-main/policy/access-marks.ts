import type { Mark } from '../../src-preload/contract/events.ts';
import { type Access, kindOf } from './accesses/access-kinds.ts';
import { eachOnce } from './mark-sources.ts';

/**
 * The marks of a call's result, from its accesses and whatever its tool declares. Everything from files, folders,
 * commands or variables is private, even a name, a number or an error; for a server's text, the user's setting decides.
 * `shownPath` formats a real path for people. Source: design section 4 ("Marks on the context").
 */
export function marksOfAccess(accesses: readonly Access[], shownPath: (real: string) => string): readonly Mark[] {
  return eachOnce(accesses.flatMap((access) => kindOf(access).marks(access, shownPath)));
}
