import { hasUnseenCharacters, isNameOfEveryObject, OBJECT_NAME_TEXT } from './outside-names.ts';

/** The limit in UTF-16 units, so that the name fits into that of a keychain entry everywhere. */
const MAX_LENGTH = 64;

/**
 * Why a model provider can't have this name, or null if it can. The name appears in config.json, in a keychain entry
 * (`Steward/provider/NAME`), in `/provider use NAME`, which takes apart words and quotation marks, and in `NAME:model`.
 * The name of its tool (`ask_NAME`) is made from it and needs no rule.
 */
export function providerNameProblem(name: string): string | null {
  if (name.trim() === '') return 'Give the provider a name.';
  if (name.length > MAX_LENGTH) return `Use a name of at most ${MAX_LENGTH} characters.`;
  if (hasUnseenCharacters(name)) return 'Leave out line breaks, tabs and characters that can’t be seen.';
  if (name !== name.split(/\s+/u).join(' ').trim()) return 'Use single spaces, and none at the beginning or the end.';
  if (/^(["']).+\1$/.test(name)) return 'Leave out the quotation marks.';
  if (name.toLowerCase() === 'guide') return 'This is the name of the built-in Guide.';
  return isNameOfEveryObject(name) ? OBJECT_NAME_TEXT : null;
}

/**
 * Why a name that is given now can't be used. In config.json a colon is understood, but `a:b` could also be the model
 * `b` of a provider `a`.
 */
export function newProviderNameProblem(name: string): string | null {
  return (
    providerNameProblem(name) ?? (name.includes(':') ? 'Leave out the colon: it separates provider and model.' : null)
  );
}
