import type { DomNode } from 'html-to-text';

/**
 * Where a link leads; `undefined`: nowhere that could be shown (`#…`, `javascript:`). Absolute ones stay as they are written,
 * without the line breaks that browsers leave out (https://url.spec.whatwg.org/#url-parsing).
 */
export function linkTarget(written: string | undefined, baseUrl: string | undefined): string | undefined {
  const href = (written ?? '').replace(/[\t\n\r]+/g, '').trim();
  if (href === '' || href.startsWith('#') || /^[\p{Cc}\s]*javascript:/iu.test(href)) return undefined;
  if (baseUrl === undefined || URL.canParse(href) || !URL.canParse(href, baseUrl)) return href;
  return new URL(href, baseUrl).href;
}

export interface LinkText {
  /** Whitespace collapsed. No more of it than is needed to see whether it is the link's address. */
  readonly text: string;
  /** Of its images. */
  readonly alternative: string;
}

const WITHOUT_TEXT = new Set(['script', 'style', 'noscript', 'template', 'title']);

/** Without recursion, and no further than `length` characters: links may be nested, and each would read all. */
export function linkText(link: DomNode, length: number): LinkText {
  let text = '';
  let alternative = '';
  const left: DomNode[] = [...link.children].reverse();
  for (let node = left.pop(); node !== undefined && text.length <= length; node = left.pop()) {
    if (node.type === 'text') text = `${text}${node.data ?? ''}`.replace(/\s+/g, ' ').trimStart();
    else if (node.type === 'tag' && node.name === 'img') alternative ||= alternativeOf(node);
    else if (node.type === 'tag' && !WITHOUT_TEXT.has(node.name ?? ''))
      for (let index = node.children.length - 1; index >= 0; index--) {
        const child = node.children[index];
        if (child !== undefined) left.push(child);
      }
  }
  return { text: text.trim(), alternative };
}

function alternativeOf(image: DomNode): string {
  const alt: unknown = image.attribs?.alt;
  return typeof alt === 'string' ? alt.replace(/\s+/g, ' ').trim() : '';
}

/** Finds the rows among siblings; each list of siblings is looked through once. */
export function rowsOf(): { beginningWith(cell: DomNode): readonly DomNode[] | undefined } {
  const rows = new Map<DomNode, DomNode[]>();
  const seen = new Set<DomNode>();
  return {
    beginningWith: (cell) => {
      const { parent } = cell;
      if (parent === undefined || parent === null) return [cell];
      if (!seen.has(parent)) {
        seen.add(parent);
        for (const row of cellRuns(parent.children)) if (row[0] !== undefined) rows.set(row[0], row);
      }
      return rows.get(cell);
    },
  };
}

/** Cells with nothing but blanks and comments between them. */
function cellRuns(siblings: readonly DomNode[]): DomNode[][] {
  const runs: DomNode[][] = [];
  let isOpen = false;
  for (const node of siblings) {
    if (node.type === 'tag' && (node.name === 'td' || node.name === 'th')) {
      if (isOpen) runs.at(-1)?.push(node);
      else runs.push([node]);
      isOpen = true;
    } else if (node.type === 'tag' || (node.type === 'text' && /\S/.test(node.data ?? ''))) isOpen = false;
  }
  return runs;
}
