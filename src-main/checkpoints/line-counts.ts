import { diffLines } from 'diff';
import type { ContentStore } from './content-store.ts';
import type { EntryState, Transition } from './entry-state.ts';

/** Larger files are not compared. */
const MAX_BYTES = 256 * 1024;
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
    const before = this.#text(from);
    const after = this.#text(to);
    if (before === undefined || after === undefined) return {};
    if (before === '' || after === '') return { added: linesIn(after), removed: linesIn(before) };
    const parts = diffLines(before, after, { maxEditLength: MAX_EDITS, timeout: left });
    if (parts === undefined) return {};
    const sum = (wanted: 'added' | 'removed') =>
      parts.reduce((count, part) => count + (part[wanted] ? (part.count ?? 0) : 0), 0);
    return { added: sum('added'), removed: sum('removed') };
  }

  /** Empty if there is no file; undefined if it is no text, or too long. */
  #text(state: EntryState): string | undefined {
    if (state.kind !== 'file') return '';
    if (state.digest === null || state.size > MAX_BYTES) return undefined;
    const content = this.#contents.get(state.digest);
    if (content === undefined || !('bytes' in content) || content.bytes.includes(0)) return undefined;
    return Buffer.from(content.bytes).toString();
  }
}

function linesIn(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
