import { readdir, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { compileGlob } from '../../../base/glob.ts';
import { realPathOf } from '../../../base/real-path.ts';
import type { ShellWord } from '../shell-line.ts';
import { isUnspeakable } from './readable-below.ts';
import { NotReading, type ReadingPlace } from './reading-place.ts';

/** The limit exists because each of these words is checked. */
export const MAX_WORDS = 5_000;

export interface ExpandedWords {
  readonly words: readonly string[];
  /** The real paths of the files and folders whose names came in: even `basename *` tells them. */
  readonly found: readonly string[];
}

interface Match {
  readonly path: string;
  readonly real: string;
}

/**
 * Expands words in a folder as a shell would: `*` and `?` are replaced by file names, in order; a word without matches
 * stays unchanged. The expansion is done here and the command is run with its result, so that a file named `-o` is
 * judged as the option that it would be. Throws `NotReading` if it would look outside the roots. Source: POSIX.1-2017,
 * 2.13.3.
 */
export async function expandWildcards(
  words: readonly ShellWord[],
  folder: string,
  place: ReadingPlace,
): Promise<ExpandedWords> {
  const expanded: string[] = [];
  const found: string[] = [];
  for (const word of words) {
    const names = word.wildcards.length === 0 ? [] : await matches(word, folder, place);
    expanded.push(...(names.length === 0 ? [word.text] : names.map(({ path }) => path)));
    found.push(...names.map(({ real }) => real));
    if (expanded.length > MAX_WORDS) throw new NotReading('too many files');
  }
  return { words: expanded, found };
}

async function matches({ text, wildcards }: ShellWord, folder: string, place: ReadingPlace): Promise<Match[]> {
  let found = [text.startsWith('/') ? '/' : ''];
  let at = text.startsWith('/') ? 1 : 0;
  const segments = text.slice(at).split('/');
  for (const [index, segment] of segments.entries()) {
    const here = wildcards.filter((wildcard) => wildcard >= at && wildcard < at + segment.length).map((w) => w - at);
    const slash = index < segments.length - 1 ? '/' : '';
    found =
      here.length === 0
        ? found.map((start) => start + segment + slash)
        : (await Promise.all(found.map((start) => namesIn(start, matcherOf(segment, here), folder, place)))).flat();
    if (here.length > 0) found = found.map((path) => path + slash);
    if (found.length > MAX_WORDS) throw new NotReading('too many files');
    at += segment.length + 1;
  }
  return existing(found, folder);
}

async function namesIn(
  start: string,
  isMatching: (name: string) => boolean,
  folder: string,
  place: ReadingPlace,
): Promise<string[]> {
  const real = await realOf(start === '' ? folder : start, folder);
  if (real === undefined) return [];
  if (!place.contains(real)) throw new NotReading('a folder outside the roots');
  const names = await readdir(real).catch(() => []);
  place.work.add(names.length + 1);
  const matching = names.filter((name) => isMatching(name));
  if (matching.some(isUnspeakable)) throw new NotReading('a name that is not text');
  return matching.sort().map((name) => start + name);
}

/** Leaves out paths that do not exist. After a wildcard in the middle of a path, the rest may be missing. */
async function existing(paths: readonly string[], folder: string): Promise<Match[]> {
  const found: Match[] = [];
  for (const path of paths) {
    const real = await realOf(path, folder);
    if (real === undefined) continue;
    if (path.endsWith('/') && !(await stat(real).catch(() => undefined))?.isDirectory()) continue;
    found.push({ path, real });
  }
  return found;
}

async function realOf(path: string, folder: string): Promise<string | undefined> {
  try {
    const { path: real, exists } = await realPathOf(isAbsolute(path) ? path : `${folder}/${path}`);
    return exists ? real : undefined;
  } catch (error) {
    throw new NotReading('a path that leads nowhere', { cause: error });
  }
}

/** A name that begins with a dot is matched only by a dot. */
function matcherOf(segment: string, wildcards: readonly number[]): (name: string) => boolean {
  const characters = segment.split('').map((each, at) => (wildcards.includes(at) ? each : escapedInGlob(each)));
  const isMatching = compileGlob(characters.join(''));
  const isVisible = (name: string) => !wildcards.includes(0) || !name.startsWith('.');
  return (name) => isVisible(name) && isMatching(name);
}

/** Characters that `compileGlob` would interpret, besides `*` and `?`. */
function escapedInGlob(text: string): string {
  return text.replace(/[\\[\]{},*?]/g, '\\$&');
}
