import { ASK_CLIENT_NAME } from '../../src-preload/contract/client-reason.ts';
import { isNameOfEveryObject } from '../../src-preload/contract/outside-names.ts';
import { lookAlikesOf } from '../base/look-alikes.ts';

/** Names that belong to Steward: a program that had one would be taken for a part of it. */

export const WINDOW_NAME = 'the window';
export const SKILLS_NAME = 'skills from files';

const OF_OWN_CODE = [WINDOW_NAME, SKILLS_NAME, 'Steward'];

/** Whether people would read the two as the same name. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

export function isNameOfOwnCode(name: string): boolean {
  return OF_OWN_CODE.some((own) => isSameName(own, name));
}

const looksReserved = lookAlikesOf(() => [...OF_OWN_CODE, ASK_CLIENT_NAME]);

/** Whether the name is one of Steward's own, or would be read as one. No program may be paired under it. */
export function isReservedName(name: string): boolean {
  return looksReserved(name) || isNameOfEveryObject(name);
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
