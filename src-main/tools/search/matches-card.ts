import type { MatchesCard } from '../../../src-preload/contract/tool-card.ts';
import { firstCharacters } from '../../base/text.ts';
import type { FileMatches } from './match-records.ts';

const MAX_MATCHES = 200;
const MAX_CHARACTERS = 400;

export interface SkippedFiles {
  readonly secretFiles?: readonly string[];
  readonly binaryFiles?: readonly string[];
}

/** The matching lines, without context. */
export function matchesCard(files: readonly Pick<FileMatches, 'path' | 'lines'>[], skipped: SkippedFiles): MatchesCard {
  const matches: MatchesCard['matches'][number][] = [];
  let total = 0;
  for (const { path, lines } of files) {
    for (const { number, text, isMatch } of lines) {
      if (!isMatch) continue;
      total++;
      if (matches.length < MAX_MATCHES)
        matches.push({ path, line: number, text: firstCharacters(text, MAX_CHARACTERS) });
    }
  }
  return { kind: 'matches', matches, total, ...notSearched(skipped) };
}

/** The files, with the number of matches if it is known. */
export function filesCard(
  files: readonly { readonly path: string; readonly count?: number }[],
  skipped: SkippedFiles = {},
): MatchesCard {
  const shown = files.slice(0, MAX_MATCHES);
  const matches = shown.map(({ path, count }) => (count === undefined ? { path } : { path, text: String(count) }));
  return { kind: 'matches', matches, total: files.length, ...notSearched(skipped) };
}

function notSearched({ secretFiles = [], binaryFiles = [] }: SkippedFiles): Partial<MatchesCard> {
  return {
    ...(secretFiles.length === 0 ? {} : { notSearched: secretFiles.slice(0, MAX_MATCHES) }),
    ...(binaryFiles.length === 0 ? {} : { notText: binaryFiles.slice(0, MAX_MATCHES) }),
  };
}
