import type { MatchesCard } from '../../src-preload/contract/tool-card.ts';

export interface MatchGroup {
  readonly path: string;
  readonly lines: readonly { readonly line: number | null; readonly text: string }[];
}

/** Matches by file, files in the order of their first match. A match without a line and text only names its file. */
export function matchGroups(matches: MatchesCard['matches']): readonly MatchGroup[] {
  const byPath = new Map<string, { line: number | null; text: string }[]>();
  for (const { path, line, text } of matches) {
    const lines = byPath.get(path) ?? [];
    if (line !== undefined || text !== undefined) lines.push({ line: line ?? null, text: text ?? '' });
    byPath.set(path, lines);
  }
  return [...byPath].map(([path, lines]) => ({ path, lines }));
}

/** The first groups, with at most `count` lines; a file without lines counts as one. */
export function firstOf(groups: readonly MatchGroup[], count: number): readonly MatchGroup[] {
  const shown: MatchGroup[] = [];
  let left = count;
  for (const { path, lines } of groups) {
    if (left <= 0) break;
    shown.push({ path, lines: lines.slice(0, left) });
    left -= Math.max(1, lines.length);
  }
  return shown;
}
