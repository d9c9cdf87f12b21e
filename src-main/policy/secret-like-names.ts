import { compileGlob, expandBraces } from '../base/glob.ts';
import { everySecretGlob } from './secret-file-names.ts';

const MATCHERS = everySecretGlob.map(compileGlob);
/** Matches the longest part of each that is plain text, which nearly no name has: to compare all takes a hundred times as long. */
const PART = new RegExp(
  everySecretGlob
    .flatMap(expandBraces)
    .map((glob) => longest(glob.split(/[*?]|\[[^\]]*\]/)).replaceAll('.', '\\.'))
    .join('|'),
);

function longest(texts: readonly string[]): string {
  return texts.reduce((one, other) => (other.length > one.length ? other : one));
}

/**
 * Whether a search for secrets takes a closer look at a file of this name (in lower case), or at those in a folder of
 * this name.
 */
export function isSecretLike(name: string): boolean {
  return PART.test(name) && MATCHERS.some((matches) => matches(name));
}
