import { headingLevels } from './heading-levels.ts';
import { withoutOpenMarks } from './open-marks.ts';
import { type AnyToken, known, lex, lexInline } from './tokens.ts';
import { canBeDrawn, leafOf, withLeaf } from './unfinished-line.ts';

const BLANK_END = /\n[ \t]*\n$/;
/** An unclosed formula, or a table header whose next line has not arrived: its kind depends on what follows. */
const UNDECIDED_END = /(?:^|\n) {0,3}(?:\$\$|\\\[)[^\n]*(?:\n[^\n]+)*\n?$|^ {0,3}\|[^\n]*\n?$/;

/** A top-level token with a key that stays the same while the text grows. */
export interface MarkdownBlock {
  readonly key: number;
  readonly token: AnyToken;
  /** The level of a heading in the page. */
  readonly level: number | null;
}

/**
 * Parses Markdown that is still being written. Blocks that can no longer change are parsed once and returned as the
 * same objects, so that the page does not render them again. Only the rest is parsed again. From the rest, nothing is
 * returned that the next characters could turn into something else: a line appears once its kind is certain, and
 * emphasis once it is closed.
 */
export class IncrementalBlocks {
  #text = '';
  #frozen: readonly AnyToken[] = [];
  /** How many characters the frozen tokens cover. */
  #frozenLength = 0;
  #shown: readonly MarkdownBlock[] = [];
  #isFinal = false;
  /** Blocks whose open marks were closed provisionally. */
  readonly #provisional = new WeakSet<AnyToken>();

  /** `isComplete` says that nothing follows. Text that does not extend the previous text is parsed from the start. */
  parse(source: string, isComplete: boolean): readonly MarkdownBlock[] {
    const text = source.replace(/\r\n?/g, '\n');
    if (text === this.#text && this.#isFinal === isComplete) return this.#shown;
    if (!text.startsWith(this.#text)) this.#startOver();
    this.#text = text;
    this.#isFinal = isComplete;
    // A definition at the end may resolve links anywhere before it, so the complete text is parsed once more.
    const tokens = isComplete ? lex(text) : this.#growing();
    this.#shown = this.#blocksOf(withoutSpace(tokens));
    return this.#shown;
  }

  #startOver(): void {
    this.#frozen = [];
    this.#frozenLength = 0;
  }

  #growing(): readonly AnyToken[] {
    const end = this.#text.lastIndexOf('\n') + 1;
    const lines = this.#text.slice(this.#frozenLength, end);
    const complete = this.#freeze(lines);
    const line = this.#text.slice(end);
    const tokens = this.#withoutUndecided(complete);
    const isWhole = tokens === complete;
    const withLine = line === '' || !isWhole ? complete : lex(this.#text.slice(this.#frozenLength));
    if (isWhole && line !== '' && canBeDrawn(line, complete, withLine))
      return [...this.#frozen, ...this.#withMarksClosed(withLine)];
    return [...this.#frozen, ...(BLANK_END.test(lines) ? tokens : this.#withMarksClosed(tokens))];
  }

  /**
   * Everything before the last block of the complete lines stands: the last one may go on (a list after a blank line, a
   * heading by its underline), and a line that is not complete yet may turn out to belong to the one before it. Gives
   * the rest.
   */
  #freeze(lines: string): readonly AnyToken[] {
    const tokens = lex(lines);
    const last = tokens.findLastIndex((token) => token.type !== 'space');
    // This is done only after a blank line, because without one a later line may still join two blocks.
    const end = tokens.findLastIndex((token, index) => index < last && token.type === 'space') + 1;
    if (end === 0) return tokens;
    const done = tokens.slice(0, end);
    const raw = done.map((token) => token.raw).join('');
    if (!lines.startsWith(raw)) return tokens;
    this.#frozen = [...this.#frozen, ...done];
    this.#frozenLength += raw.length;
    return lex(lines.slice(raw.length));
  }

  #withoutUndecided(tokens: readonly AnyToken[]): readonly AnyToken[] {
    const last = tokens.at(-1);
    if (last?.type !== 'paragraph') return tokens;
    const [undecided] = UNDECIDED_END.exec(last.raw) ?? [];
    if (undecided === undefined) return tokens;
    const rest = last.raw.slice(0, -undecided.length);
    return [...tokens.slice(0, -1), ...lex(rest)];
  }

  #withMarksClosed(tokens: readonly AnyToken[]): readonly AnyToken[] {
    const leaf = leafOf(tokens);
    if (leaf?.type !== 'paragraph' && leaf?.type !== 'text') return tokens;
    const [box] = known(leaf.tokens);
    const written =
      box?.type === 'checkbox' && leaf.text.startsWith(box.raw) ? leaf.text.slice(box.raw.length) : leaf.text;
    const text = withoutOpenMarks(written);
    if (text === written) return tokens;
    const all = withLeaf(tokens, text.trim() === '' ? null : { ...leaf, tokens: [...lexInline(text)] });
    const changed = all.findLast((token) => token.type !== 'space');
    if (changed !== undefined) this.#provisional.add(changed);
    return all;
  }

  #blocksOf(tokens: readonly AnyToken[]): readonly MarkdownBlock[] {
    const levels = [...headingLevels(tokens.flatMap((token) => (token.type === 'heading' ? [token.depth] : [])))];
    const definesLinks = tokens.some((token) => token.type === 'def');
    return tokens.map((token, key) => {
      const level = token.type === 'heading' ? (levels.shift() ?? null) : null;
      const before = this.#shown[key];
      const isSame = before?.token === token || (!definesLinks && this.#isTheSame(before?.token, token));
      return before !== undefined && isSame && before.level === level ? before : { key, token, level };
    });
  }

  #isTheSame(before: AnyToken | undefined, token: AnyToken): boolean {
    if (before === undefined || this.#provisional.has(before) || this.#provisional.has(token)) return false;
    return before.raw === token.raw && before.type === token.type;
  }
}

function withoutSpace(tokens: readonly AnyToken[]): readonly AnyToken[] {
  return tokens.filter((token) => token.type !== 'space');
}
