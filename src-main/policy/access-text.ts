import type { ShownClass } from './accesses/access-kind.ts';
import { type TouchedAccess, touchedKindOf } from './accesses/access-kinds.ts';

/**
 * The text of an access, for questions. Contains raw untrusted content: make invisible characters visible before
 * showing it.
 */
export function describeAccess(access: TouchedAccess): string {
  return touchedKindOf(access).describe(access);
}

/**
 * The short label of an access. It is the class, unless only the server or program that offers the tool vouches for it.
 */
export function shownClass(access: TouchedAccess): ShownClass {
  return touchedKindOf(access).shownClass(access);
}
