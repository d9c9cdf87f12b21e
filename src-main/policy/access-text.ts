import type { AccessClass } from '../../src-preload/contract/access-class.ts';
import { type TouchedAccess, touchedKindOf } from './accesses/access-kinds.ts';

/** The text of an access, for questions. Contains raw untrusted content: make invisible characters visible before showing it. */
export function describeAccess(access: TouchedAccess): string {
  return touchedKindOf(access).describe(access);
}

/** The short label of an access: its class, or `unreviewed` if only the server itself claims that its tool is harmless. */
export function shownClass(access: TouchedAccess): AccessClass | 'unreviewed' {
  return touchedKindOf(access).shownClass(access);
}
