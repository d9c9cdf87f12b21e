import type { Freedom, FreedomLasts } from '../../../src-preload/contract/bounds.ts';
import { shownDate } from '../shown-values.ts';

const NOT_OFFERED = {
  home: 'asks, because this folder contains your home folder',
  obeyed: 'asks, because other programs obey what is in this folder',
} as const;

/** Completes “Work freely: …”. */
export function freedomStateText(freedom: Freedom, holdsCommands: boolean): string {
  const what = holdsCommands ? '' : ', only edits';
  switch (freedom.state) {
    case 'always':
      return `always${what}`;
    case 'until':
      return `until ${shownDate(freedom.until)}${what}`;
    case 'asks':
      return freedom.isAllowedInSome ? 'asks, except in conversations in which you allowed it' : 'asks';
    case 'within':
      return `as in ${freedom.root}`;
    case 'not_offered':
      return NOT_OFFERED[freedom.why];
  }
}

/** How long it can be allowed now. */
export function freedomOffers({ state }: Freedom): readonly FreedomLasts[] {
  if (state === 'asks') return ['week', 'always'];
  return state === 'until' ? ['always'] : [];
}
