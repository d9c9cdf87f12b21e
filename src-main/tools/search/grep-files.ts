import { compileGlob } from '../../base/glob.ts';
import type { FoundPath } from '../files/workspace-files.ts';
import type { Query, SearchScope } from './ripgrep.ts';
import { type MatchedFile, type MatchReport, type TextMatches, textMatches } from './text-matches.ts';
import { byPath, leftOutBelow, type SearchSurroundings } from './text-search.ts';

/** A file with matches. Its path is absolute, with `/`. */
export type GrepFile = MatchedFile;

/** The files are sorted by path, in the order of their code units. */
export type GrepFindings = TextMatches;

export type GrepReport = MatchReport;

export interface GrepRequest {
  readonly query: Query;
  readonly report: GrepReport;
  /** Matches names, or paths below the place if it contains a `/`. If it is empty, it matches all. */
  readonly glob: string;
}

/** The files with matches. Rejects with `SearchFailure` or `GlobError`. */
export async function grepFiles(
  { query, report, glob }: GrepRequest,
  place: FoundPath,
  surroundings: SearchSurroundings,
): Promise<GrepFindings> {
  const scope = scopeOf(place, glob, surroundings);
  if (scope === undefined) return { files: [], ending: 'complete', secretFiles: [], binaryFiles: [] };
  const wanted = query.spansLines ? { ...query, text: forAnyLineEnd(query.text) } : query;
  const found = await textMatches({ query: wanted, report }, scope, surroundings);
  return {
    ...found,
    files: found.files.map((file) => ({ ...file, path: shownPath(file.path, place) })).sort(byPath),
    secretFiles: found.secretFiles.map((path) => shownPath(path, place)),
    binaryFiles: found.binaryFiles.map((path) => shownPath(path, place)),
  };
}

function scopeOf(place: FoundPath, glob: string, { files }: SearchSurroundings): SearchScope | undefined {
  const pattern = glob.replace(/^(?:\.?\/)+/, '') || '*';
  const onName = compileGlob(pattern.slice(pattern.lastIndexOf('/') + 1) || '*');
  if (place.kind === 'file' && !onName(place.name)) return undefined;
  return {
    directory: place.directory,
    ...(place.kind === 'file' ? { files: [place.name] } : {}),
    isRecursive: true,
    namePattern: pattern,
    skippedNames: ['.git'],
    leftOut: leftOutBelow(place.directory, files),
  };
}

function shownPath(path: string, { kind, absolute }: FoundPath): string {
  if (kind === 'file') return absolute;
  return absolute.endsWith('/') ? absolute + path : `${absolute}/${path}`;
}

/**
 * The expression for line ends that may also be `\r\n`. One with a lookbehind stays as it is, because the length of
 * that must not vary.
 */
function forAnyLineEnd(regex: string): string {
  if (/\(\?<[=!]/.test(regex)) return regex;
  const parts = /\\.|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\\?$)|\n/gs;
  return regex.replace(parts, (part) => (part === '\n' || part === '\\n' ? '(?:\\r?\\n)' : part));
}
