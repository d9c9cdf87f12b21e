import { readdirSync } from 'node:fs';
import { errorMessage } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';

/** A folder with one of these was a profile before. */
const SIGNS_OF_A_PROFILE = ['steward.db', 'config.json', 'window.json'];

/** Why this folder can't be opened as a profile, or undefined if it can. */
export function obstacleIn(folder: string): { readonly message: string; readonly detail: string } | undefined {
  try {
    if (canBeProfile(readdirSync(folder))) return undefined;
  } catch (error) {
    return { message: 'This folder can’t be read.', detail: `${visible(folder)}\n\n${visible(errorMessage(error))}` };
  }
  return {
    message: 'This folder has other files in it.',
    detail: 'Choose the folder of another profile, or an empty folder for a new one.',
  };
}

/** Steward's files must not be mixed with others. */
function canBeProfile(names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => SIGNS_OF_A_PROFILE.includes(name));
}
