import { diffLines } from 'diff';
import type { ContentStore } from './content-store.ts';
import type { Transition } from './entry-state.ts';
import { textIn } from './kept-text.ts';

/** After this the rest is not counted: nobody waits for it. */
const MAX_MS = 150;
const MAX_EDITS = 2_000;

/** Counts the lines that came and went, of texts only, and not for long. */
export class LineCounts {
  readonly #contents: ContentStore;
  readonly #endsAt = performance.now() + MAX_MS;

  constructor(contents: ContentStore) {
    this.#contents = contents;
  }

  of({ from, to }: Transition): { added?: number; removed?: number } {
    const left = this.#endsAt - performance.now();
    if (left <= 0 || (from.kind !== 'file' && to.kind !== 'file')) return {};
    const before = textIn(this.#contents, from);
    const after = textIn(this.#contents, to);
    if (before === undefined || after === undefined) return {};
    return this.#counted(before ?? '', after ?? '', left);
  }

  #counted(before: string, after: string, left: number): { added?: number; removed?: number } {
    if (before === '' || after === '') return { added: linesIn(after), removed: linesIn(before) };
    const parts = diffLines(before, after, { maxEditLength: MAX_EDITS, timeout: left });
    if (parts === undefined) return {};
    const sum = (wanted: 'added' | 'removed') =>
      parts.reduce((count, part) => count + (part[wanted] ? (part.count ?? 0) : 0), 0);
    return { added: sum('added'), removed: sum('removed') };
  }
}

function linesIn(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
