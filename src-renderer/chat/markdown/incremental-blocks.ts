import { headingLevels } from './heading-levels.ts';
import { type AnyToken, lex } from './tokens.ts';

/** A top-level token with a name that stays the same while the text grows. */
export interface MarkdownBlock {
  readonly key: number;
  readonly token: AnyToken;
  /** Of a heading: its level in the page. */
  readonly level: number | null;
}

/**
 * Parses Markdown that is still being written. What cannot change any more is parsed once: the same objects come back each
 * time, so that the page leaves them alone. Only what stands after them is parsed again.
 */
export class IncrementalBlocks {
  private text = '';
  private frozen: readonly AnyToken[] = [];
  /** How much of the text the frozen tokens take. */
  private frozenLength = 0;
  private shown: readonly MarkdownBlock[] = [];
  private isFinal = false;

  /** `isComplete`: nothing follows. Text that is not what was there before with more behind it is parsed from its start. */
  parse(source: string, isComplete: boolean): readonly MarkdownBlock[] {
    const text = source.replace(/\r\n?/g, '\n');
    if (text === this.text && this.isFinal === isComplete) return this.shown;
    if (!text.startsWith(this.text)) this.startOver();
    this.text = text;
    this.isFinal = isComplete;
    // A definition at the end gives links their targets anywhere before it, so the whole text decides in the end.
    const tokens = isComplete ? lex(text) : this.growing();
    this.shown = this.blocksOf(withoutSpace(tokens));
    return this.shown;
  }

  private startOver(): void {
    this.frozen = [];
    this.frozenLength = 0;
  }

  private growing(): readonly AnyToken[] {
    this.freeze();
    return [...this.frozen, ...lex(this.text.slice(this.frozenLength))];
  }

  /**
   * Everything before the last block of the complete lines stands: the last one may go on (a list after a blank line, a
   * heading by its underline), and a line that is not complete yet may turn out to belong to the one before it.
   */
  private freeze(): void {
    const completeLines = this.text.slice(this.frozenLength, this.text.lastIndexOf('\n') + 1);
    const tokens = lex(completeLines);
    const last = tokens.findLastIndex((token) => token.type !== 'space');
    // Only behind a blank line: without one, a later line may still make one block of two.
    const end = tokens.findLastIndex((token, index) => index < last && token.type === 'space') + 1;
    if (end === 0) return;
    const done = tokens.slice(0, end);
    const raw = done.map((token) => token.raw).join('');
    if (!completeLines.startsWith(raw)) return;
    this.frozen = [...this.frozen, ...done];
    this.frozenLength += raw.length;
  }

  private blocksOf(tokens: readonly AnyToken[]): readonly MarkdownBlock[] {
    const levels = [...headingLevels(tokens.flatMap((token) => (token.type === 'heading' ? [token.depth] : [])))];
    const definesLinks = tokens.some((token) => token.type === 'def');
    return tokens.map((token, key) => {
      const level = token.type === 'heading' ? (levels.shift() ?? null) : null;
      const before = this.shown[key];
      const isSame = before?.token === token || (!definesLinks && isTheSame(before?.token, token));
      return before !== undefined && isSame && before.level === level ? before : { key, token, level };
    });
  }
}

function isTheSame(before: AnyToken | undefined, token: AnyToken): boolean {
  return before?.raw === token.raw && before.type === token.type;
}

function withoutSpace(tokens: readonly AnyToken[]): readonly AnyToken[] {
  return tokens.filter((token) => token.type !== 'space');
}
