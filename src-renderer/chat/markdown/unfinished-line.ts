import { type AnyToken, known } from './tokens.ts';

const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;
/**
 * The start of a line whose kind is still open: a list marker, a rule, an underline, a fence, a definition, a table
 * row.
 */
const UNDECIDED = [
  /^$/,
  /^(?:=+|_+|\*+|\+|#+|~+|`+|!)[ \t]*$/,
  /^[-:][-:| \t]*$/,
  /^(?:`{3}|~{3})/,
  /^\d{1,9}[.)]?$/,
  /^<[^>]*$/,
  /^(?:\$|\\$|\\\[)/,
  /^\[[^\]]*\]?$/,
  /^\[[^\]]+\]:/,
  /^\[[ xX]\][ \t]*$/,
  /^\|/,
];
/** A closing fence, or the start of one. */
const FENCE = /^[ \t>]*(?:(?:`+|~+)[ \t]*)?$/;

/**
 * Whether an incomplete line can be drawn: it continues the block above it, or it is text of a paragraph or list item.
 */
export function canBeDrawn(line: string, before: readonly AnyToken[], withLine: readonly AnyToken[]): boolean {
  if (!goesOn(before, withLine)) return false;
  const leaf = leafOf(withLine);
  if (leaf?.type === 'code' && leaf.codeBlockStyle !== 'indented') return !FENCE.test(line);
  if (leaf?.type === 'html') return true;
  const start = line.replace(CONTAINERS, '');
  return !UNDECIDED.some((pattern) => pattern.test(start));
}

/** Leaves out tokens that are never drawn. */
export function drawn(tokens: readonly AnyToken[]): readonly AnyToken[] {
  return tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox');
}

/** The innermost last block, which is still being written. */
export function leafOf(tokens: readonly AnyToken[]): AnyToken | undefined {
  const last = drawn(tokens).at(-1);
  if (last?.type === 'list') return leafOf(known(last.items.at(-1)?.tokens)) ?? last;
  if (last?.type === 'blockquote') return leafOf(known(last.tokens)) ?? last;
  return last;
}

/** The tokens with another leaf, or without one if it is null. */
export function withLeaf(tokens: readonly AnyToken[], leaf: AnyToken | null): readonly AnyToken[] {
  const index = tokens.findLastIndex((token) => token.type !== 'space' && token.type !== 'checkbox');
  const last = tokens[index];
  if (last === undefined) return leaf === null ? [] : [leaf];
  const replaced = replacedIn(last, leaf);
  return [...tokens.slice(0, index), ...(replaced === null ? [] : [replaced]), ...tokens.slice(index + 1)];
}

function replacedIn(block: AnyToken, leaf: AnyToken | null): AnyToken | null {
  const item = block.type === 'list' ? block.items.at(-1) : undefined;
  if (block.type === 'list' && item !== undefined && drawn(known(item.tokens)).length > 0) {
    const tokens = [...withLeaf(known(item.tokens), leaf)] as typeof item.tokens;
    return { ...block, items: [...block.items.slice(0, -1), { ...item, tokens }] };
  }
  if (block.type === 'blockquote' && drawn(known(block.tokens)).length > 0)
    return { ...block, tokens: [...withLeaf(known(block.tokens), leaf)] as typeof block.tokens };
  return leaf;
}

/** Every block of `before` is unchanged, except that text was added to the last one or started after it. */
function goesOn(before: readonly AnyToken[], after: readonly AnyToken[]): boolean {
  const [old, now] = [drawn(before), drawn(after)];
  const added = now.slice(old.length);
  if (now.length < old.length || added.length > 1 || !added.every(isText)) return false;
  return old.every((block, index) => {
    const other = now[index];
    if (other === undefined || kindOf(block) !== kindOf(other)) return false;
    return index < old.length - 1 || added.length > 0 || isContinued(block, other);
  });
}

function isContinued(before: AnyToken, after: AnyToken): boolean {
  if (before.type === 'list' && after.type === 'list') {
    const [old, now] = [before.items, after.items];
    if (before.ordered !== after.ordered) return false;
    if (now.length === old.length) return goesOn(known(old.at(-1)?.tokens), known(now.at(-1)?.tokens));
    const blocks = drawn(known(now.at(-1)?.tokens));
    return now.length === old.length + 1 && blocks.length <= 1 && blocks.every(isText);
  }
  if (before.type === 'blockquote' && after.type === 'blockquote')
    return goesOn(known(before.tokens), known(after.tokens));
  return isText(before) || before.type === 'code' || before.type === 'html';
}

/** Kinds of lines that can be recognised before they are complete. */
function isText(block: AnyToken): boolean {
  if (block.type === 'blockquote') return drawn(known(block.tokens)).every(isText);
  return kindOf(block) === 'paragraph' || (block.type === 'code' && block.codeBlockStyle === 'indented');
}

/** The text of a tight list item is a paragraph without margins. */
function kindOf({ type }: AnyToken): string {
  return type === 'text' ? 'paragraph' : type;
}
