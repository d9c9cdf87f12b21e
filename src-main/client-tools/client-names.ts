import { ASK_CLIENT_NAME } from '../../src-preload/contract/client-reason.ts';
import { isNameOfEveryObject } from '../../src-preload/contract/outside-names.ts';

/** Names that belong to Steward: a program that had one would be taken for a part of it. */

export const WINDOW_NAME = 'the window';
export const SKILLS_NAME = 'skills from files';

const OF_OWN_CODE = [WINDOW_NAME, SKILLS_NAME, 'Steward'];

/** As people read them. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

export function isNameOfOwnCode(name: string): boolean {
  return OF_OWN_CODE.some((own) => isSameName(own, name));
}

/** No program may be paired under it. */
export function isReservedName(name: string): boolean {
  return isNameOfOwnCode(name) || isSameName(name, ASK_CLIENT_NAME) || isNameOfEveryObject(name);
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
