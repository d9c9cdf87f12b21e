import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { compileGlob } from '../../base/glob.ts';
import { PinnedDirectory } from '../files/pinned-directory.ts';
import { NEVER_A_LINK, NEVER_WAIT } from '../files/regular-file.ts';
import type { FoundPath } from '../files/workspace-files.ts';
import { type MatchedLine, parseMatchRecords, parseNumbers, parsePaths } from './match-records.ts';
import type { Query, Report, Search, SearchScope } from './ripgrep.ts';
import {
  byPath,
  endingOf,
  leftOutBelow,
  type SearchEnding,
  type SearchSurroundings,
  TextSearch,
} from './text-search.ts';

export interface GrepFile {
  /** Absolute, with `/`. */
  readonly path: string;
  /** Empty unless lines were requested. */
  readonly lines: readonly MatchedLine[];
  /** Number of matching lines; for matches that span lines, number of matches. 0 unless counts were requested. */
  readonly count: number;
}

export interface GrepFindings {
  /** By path, in the order of their code units. */
  readonly files: readonly GrepFile[];
  /** There may be more, unless it is `complete`. */
  readonly ending: SearchEnding;
  /** Like the others: files that were not searched because they usually hold secrets. */
  readonly secretFiles: readonly string[];
}

export type GrepReport = Extract<Report, { kind: 'lines' | 'files' | 'counts' }>;

export interface GrepRequest {
  readonly query: Query;
  readonly report: GrepReport;
  /** Matches names, or paths below the place if it contains a `/`; empty: all. */
  readonly glob: string;
}

/** A NUL byte among the first so many bytes makes a file binary (tool catalogue B.1, grep). */
const SNIFFED_BYTES = 8192;
/** In larger files, text after a NUL byte is not searched: it would take too much time or memory. */
const MOST_BYTES_WITH_NUL = 50 * 1024 * 1024;
const FIRST_NUL: Search = {
  query: { text: '(?-u)\\x00[^\\n]*', isRegex: true, isCaseSensitive: true },
  report: { kind: 'first-offset', maxFileBytes: MOST_BYTES_WITH_NUL },
  readsBinary: true,
};

/**
 * Files with matches. ripgrep leaves a file at its first NUL byte, wherever that is, so a second ripgrep run in parallel finds where those
 * are; files whose first one comes late are searched again as text. Rejects with `SearchFailure` or `GlobError`.
 */
export async function grepFiles(
  { query, report, glob }: GrepRequest,
  place: FoundPath,
  surroundings: SearchSurroundings,
): Promise<GrepFindings> {
  const scope = scopeOf(place, glob, surroundings);
  if (scope === undefined) return { files: [], ending: 'complete', secretFiles: [] };
  const ended = new AbortController();
  const signal = AbortSignal.any([surroundings.signal, ended.signal]);
  const search = new TextSearch(scope, { ...surroundings, signal });
  const wanted: Search = { query: query.spansLines ? { ...query, text: forAnyLineEnd(query.text) } : query, report };
  try {
    const [found, withNul] = await Promise.all([search.run(wanted), search.run(FIRST_NUL)]);
    const nulOffsets = new Map(withNul.texts.flatMap((text) => [...parseNumbers(text)]));
    const files = found.texts
      .flatMap((text) => parsed(text, report))
      .filter(({ path, nulOffset = SNIFFED_BYTES }) => !nulOffsets.has(path) && nulOffset >= SNIFFED_BYTES);
    // For lines, ripgrep itself reports NUL bytes.
    const isTold = withNul.ending === 'complete' || report.kind === 'lines';
    const texts = isTold ? files : await textFiles(scope.directory, files);
    const late = [...nulOffsets].flatMap(([path, offset]) => (offset >= SNIFFED_BYTES ? [path] : []));
    const again = await search.runIn(late, { ...wanted, readsBinary: true });
    const all = [...texts, ...again.texts.flatMap((text) => parsed(text, report))];
    return {
      files: all
        .filter(({ path }) => search.mayTellOf(path))
        .map((file) => ({ ...file, path: shownPath(file.path, place) }))
        .sort(byPath),
      ending: endingOf([found.ending, withNul.ending, again.ending]),
      secretFiles: found.secretFiles.map((path) => shownPath(path, place)),
    };
  } finally {
    // If one of the two failed, the other's result is no longer needed.
    ended.abort();
  }
}

/** How much longer than the guard time this may take. */
const SNIFF_MS = 2_000;
/** After this many files, yields to other work of the process. */
const SNIFFED_IN_A_ROW = 200;

/** The text files among those that the search for NUL bytes did not reach. Files that can't be read in time are left out. */
function textFiles<File extends { readonly path: string }>(directory: string, files: readonly File[]): Promise<File[]> {
  const deadline = performance.now() + SNIFF_MS;
  return PinnedDirectory.during(directory, async (pinned) => {
    const texts: File[] = [];
    for (const [index, file] of files.entries()) {
      if (performance.now() >= deadline) break;
      if (index % SNIFFED_IN_A_ROW === SNIFFED_IN_A_ROW - 1) await setImmediate();
      if (beginsWithText(join(pinned, file.path))) texts.push(file);
    }
    return texts;
  });
}

/** Without promises, because there may be a hundred thousand. */
function beginsWithText(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | NEVER_A_LINK | NEVER_WAIT);
    try {
      const bytes = Buffer.allocUnsafe(SNIFFED_BYTES);
      return !bytes.subarray(0, readSync(file, bytes, 0, SNIFFED_BYTES, 0)).includes(0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
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

function parsed(text: string, report: GrepReport): (GrepFile & { readonly nulOffset?: number })[] {
  switch (report.kind) {
    case 'lines':
      return parseMatchRecords(text).map((file) => ({ ...file, count: 0 }));
    case 'files':
      return parsePaths(text).map((path) => ({ path, lines: [], count: 0 }));
    case 'counts':
      return [...parseNumbers(text)].map(([path, count]) => ({ path, lines: [], count }));
  }
}

function shownPath(path: string, { kind, absolute }: FoundPath): string {
  if (kind === 'file') return absolute;
  return absolute.endsWith('/') ? absolute + path : `${absolute}/${path}`;
}

/** Line ends may be `\r\n`. Outside the lookbehind, whose length must not vary. */
function forAnyLineEnd(regex: string): string {
  if (/\(\?<[=!]/.test(regex)) return regex;
  const parts = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\n/gs;
  return regex.replace(parts, (part) => (part === '\n' || part === '\\n' ? '(?:\\r?\\n)' : part));
}
