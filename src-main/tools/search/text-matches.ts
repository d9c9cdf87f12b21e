import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { PinnedDirectory } from '../../base/pinned-directory.ts';
import { type MatchedLine, parseMatchRecords, parseNumbers, parsePaths } from './match-records.ts';
import type { Query, Report, Search, SearchScope } from './ripgrep.ts';
import { endingOf, type SearchEnding, type SearchSurroundings, TextSearch } from './text-search.ts';

export type MatchReport = Extract<Report, { kind: 'lines' | 'files' | 'counts' }>;

/** Paths are relative to the directory of the search. */
export interface TextMatches {
  readonly files: readonly MatchedFile[];
  /** There may be more, unless it is `complete`. */
  readonly ending: SearchEnding;
  /** These were not searched, because they usually hold secrets. */
  readonly secretFiles: readonly string[];
  /** These were not searched, because of a NUL byte near their beginning. */
  readonly binaryFiles: readonly string[];
}

export interface MatchedFile {
  readonly path: string;
  /** Empty unless lines were requested. */
  readonly lines: readonly MatchedLine[];
  /** The number of matching lines, or of matches if these span lines. It is 0 unless counts were requested. */
  readonly count: number;
}

export interface MatchRequest {
  readonly query: Query;
  readonly report: MatchReport;
}

/** A NUL byte among the first so many bytes makes a file binary (tool catalogue B.1, grep). */
const SNIFFED_BYTES = 8192;
/** In larger files, text after a NUL byte is not searched: it would take too much time or memory. */
const MAX_BYTES_WITH_NUL = 50 * 1024 * 1024;
const FIRST_NUL: Search = {
  query: { text: '(?-u)\\x00[^\\n]*', isRegex: true, isCaseSensitive: true },
  report: { kind: 'first-offset', maxFileBytes: MAX_BYTES_WITH_NUL },
  readsBinary: true,
};

/**
 * The files with matches. ripgrep leaves a file at its first NUL byte, wherever that is, so a second ripgrep run in
 * parallel finds where those are. Rejects with `SearchFailure` or `GlobError`.
 */
export async function textMatches(
  { query, report }: MatchRequest,
  scope: SearchScope,
  surroundings: SearchSurroundings,
): Promise<TextMatches> {
  const ended = new AbortController();
  const signal = AbortSignal.any([surroundings.signal, ended.signal]);
  const search = new TextSearch(scope, { ...surroundings, signal });
  const wanted: Search = { query, report };
  try {
    const [found, withNul] = await Promise.all([search.run(wanted), search.run(FIRST_NUL)]);
    const nulOffsets = new Map(withNul.texts.flatMap((text) => [...parseNumbers(text)]));
    const late = [...nulOffsets].flatMap(([path, offset]) => (offset >= SNIFFED_BYTES ? [path] : []));
    const isLate = new Set(late);
    const isText = ({ path, nulOffset = SNIFFED_BYTES }: { readonly path: string; readonly nulOffset?: number }) =>
      !nulOffsets.has(path) && nulOffset >= SNIFFED_BYTES;
    const files = found.texts.flatMap((text) => parsed(text, report)).filter(isText);
    // For lines, ripgrep itself reports NUL bytes.
    const isTold = withNul.ending === 'complete' || report.kind === 'lines';
    const texts = isTold ? files : await textFiles(scope.directory, files);
    const again = await search.runIn(late, { ...wanted, readsBinary: true });
    const all = [...texts, ...again.texts.flatMap((text) => parsed(text, report))];
    return {
      files: all.filter(({ path }) => search.mayTellOf(path)),
      ending: endingOf([found.ending, withNul.ending, again.ending]),
      secretFiles: found.secretFiles,
      binaryFiles: [...nulOffsets.keys()].filter((path) => !isLate.has(path) && search.mayTellOf(path)).sort(),
    };
  } finally {
    // If one of the two failed, the other's result is no longer needed.
    ended.abort();
  }
}

/** How much longer than the time limit of the search this may take. */
const SNIFF_MS = 2_000;
/** After this many files, it yields to other work of the process. */
const SNIFFED_IN_A_ROW = 200;

/**
 * The text files among those that the search for NUL bytes did not reach. Files that can't be read in time are left
 * out.
 */
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

/** It uses no promises, because there may be a hundred thousand files. */
function beginsWithText(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
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

function parsed(text: string, report: MatchReport): (MatchedFile & { readonly nulOffset?: number })[] {
  switch (report.kind) {
    case 'lines':
      return parseMatchRecords(text).map((file) => ({ ...file, count: 0 }));
    case 'files':
      return parsePaths(text).map((path) => ({ path, lines: [], count: 0 }));
    case 'counts':
      return [...parseNumbers(text)].map(([path, count]) => ({ path, lines: [], count }));
  }
}
