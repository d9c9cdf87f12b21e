import type { DomNode } from 'html-to-text';

/**
 * The target of a link; `undefined`: none that can be shown (`#…`, `javascript:`). Absolute addresses stay as written, without the line
 * breaks that browsers remove (https://url.spec.whatwg.org/#url-parsing).
 */
export function linkTarget(written: string | undefined, baseUrl: string | undefined): string | undefined {
  const href = (written ?? '').replace(/[\t\n\r]+/g, '').trim();
  if (href === '' || href.startsWith('#') || /^[\p{Cc}\s]*javascript:/iu.test(href)) return undefined;
  if (baseUrl === undefined || URL.canParse(href) || !URL.canParse(href, baseUrl)) return href;
  return new URL(href, baseUrl).href;
}

/** Base of a page's relative links: its `<base>`, unless that is not an address of the web. */
export function linkBase(written: string | undefined, pageUrl: string): string {
  const target = linkTarget(written, pageUrl);
  return target !== undefined && /^https?:/i.test(target) && URL.canParse(target) ? target : pageUrl;
}

export interface LinkText {
  /** Whitespace collapsed. Reads only as much as is needed to tell whether it is the link's address. */
  readonly text: string;
  /** Of its images. */
  readonly alternative: string;
}

const WITHOUT_TEXT = new Set(['script', 'style', 'noscript', 'template', 'title']);
/** No real page has deeper nesting between a link and its text; with links inside links, everything would be read again and again. */
const MAX_NODES = 1_000;

/** Without recursion, and at most `length` characters. */
export function linkText(link: DomNode, length: number): LinkText {
  let text = '';
  let alternative = '';
  const left: DomNode[] = [];
  const add = (children: readonly DomNode[]) => left.push(...children.slice(0, MAX_NODES).reverse());
  add(link.children);
  for (let visited = 0; visited < MAX_NODES && text.length <= length; visited++) {
    const node = left.pop();
    if (node === undefined) break;
    if (node.type === 'text') text += beginningOf(node.data ?? '', length, text !== '');
    else if (node.type === 'tag' && node.name === 'img') alternative ||= alternativeOf(node);
    else if (node.type === 'tag' && !WITHOUT_TEXT.has(node.name ?? '')) add(node.children);
  }
  return { text: text.replace(/\s+/g, ' ').trim(), alternative };
}

/** At most `length` + 1 characters, not counting leading blanks; `isContinued`: a leading blank separates words. */
function beginningOf(data: string, length: number, isContinued: boolean): string {
  const start = data.search(/\S/);
  if (start < 0) return isContinued && data !== '' ? ' ' : '';
  return (isContinued && start > 0 ? ' ' : '') + data.slice(start, start + length + 1);
}

function alternativeOf(image: DomNode): string {
  const alt: unknown = image.attribs?.alt;
  return typeof alt === 'string' ? alt.replace(/\s+/g, ' ').trim() : '';
}

/** Finds the rows among siblings; each list of siblings is scanned once. */
export class CellRows {
  readonly #rows = new Map<DomNode, readonly DomNode[]>();
  readonly #seen = new Set<DomNode>();

  /** `undefined`: an earlier cell emits it. */
  beginningWith(cell: DomNode): readonly DomNode[] | undefined {
    const { parent } = cell;
    if (parent === undefined) return [cell];
    if (!this.#seen.has(parent)) {
      this.#seen.add(parent);
      for (const row of cellRuns(parent.children)) if (row[0] !== undefined) this.#rows.set(row[0], row);
    }
    return this.#rows.get(cell);
  }
}

/** Cells separated only by blanks and comments. */
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
