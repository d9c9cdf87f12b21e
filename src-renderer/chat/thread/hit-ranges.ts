/** Scripts whose words are not separated: a match may begin and end anywhere. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const MAX_MARKED = 500;

/** A span is `[start, end)`; spans are in order. */
export type Span = readonly [start: number, end: number];

/** The spans in which a text contains one of the spellings as whole words. */
export function spansOf(text: string, spellings: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (const spelling of spellings) {
    if (spelling === '') continue;
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
      if (spans.length === MAX_MARKED) break;
      const end = at + spelling.length;
      if (!joins(text, at) && !joins(text, end)) spans.push([at, end]);
    }
  }
  return spans.sort((a, b) => a[0] - b[0]);
}

/** Whether the characters before and after a position belong to one word. */
function joins(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const [after = ''] = text.slice(at, at + 2);
  return LETTER.test(before) && LETTER.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after);
}

/**
 * The ranges in what an element shows. A match may lie in several nodes, since formatting and coloured code cut the
 * text.
 */
export function rangesIn(element: HTMLElement, spellings: readonly string[]): readonly Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const placeOf = (at: number, isEnd: boolean) => {
    const found = nodes.findLast(({ start }) => (isEnd ? start < at : start <= at));
    return found && { node: found.node, offset: at - found.start };
  };
  return spansOf(text, spellings).flatMap(([start, end]) => {
    const [from, to] = [placeOf(start, false), placeOf(end, true)];
    if (from === undefined || to === undefined) return [];
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset);
    return [range];
  });
}
