import type { Mark } from '../../../src-preload/contract/events.ts';

/** Used for marks that a damaged row no longer contains, to be on the safe side. */
const UNKNOWN: Mark = { kind: 'untrusted', source: 'an unknown source' };

/** The marks in a JSON column. */
export function marksOf(json: string): readonly Mark[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) && value.every(isMark) ? value : [UNKNOWN];
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('source' in value)) return false;
  return isKind(value.kind) && typeof value.source === 'string';
}

function isKind(value: unknown): value is Mark['kind'] {
  return value === 'untrusted' || value === 'private' || value === 'secret';
}
