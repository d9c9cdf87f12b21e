import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag, isText } from 'domhandler';

export interface PlacedCell {
  readonly element: Element;
  /** The number of columns since the cell before it, or for the first cell since the start of the row. */
  readonly tabs: number;
}

export interface TableRow {
  readonly cells: readonly PlacedCell[];
  /** Tabs part the cells in one line; otherwise the table is only there to place parts of the page. */
  readonly isLine: boolean;
}

/** A longer cell with blocks in it is a part of a page, not a value. */
const MAX_VALUE_LENGTH = 2_000;
const MAX_BLOCKS = 3;
const BLOCKS = new Set('p div li h1 h2 h3 h4 h5 h6 dt dd blockquote ul ol dl section article pre'.split(' '));
const PARTS_OF_TABLE = new Set(['tr', 'thead', 'tbody', 'tfoot']);
const TABLES = new Set(['table', 'tr', 'td', 'th']);
/** Tables that are wider or repeat more than this are made to be slow. */
const MAX_COLUMNS = 1_000;
const MAX_SPANNED = 100_000;

/** Finds the rows among siblings, and which columns their cells are in; each list of siblings is scanned once. */
export class TableRows {
  readonly #rows = new Map<Element, readonly Element[]>();
  readonly #seen = new Set<ParentNode>();
  readonly #spans = new Map<ParentNode, RowSpans>();
  readonly #grids = new Map<ParentNode, boolean>();
  #spannedLeft = MAX_SPANNED;

  /** Undefined if an earlier cell emits the row. */
  beginningWith(cell: Element): TableRow | undefined {
    const { parent } = cell;
    if (parent === null) return { cells: [{ element: cell, tabs: 0 }], isLine: false };
    if (!this.#seen.has(parent)) {
      this.#seen.add(parent);
      for (const row of cellRuns(parent.children)) if (row[0] !== undefined) this.#rows.set(row[0], row);
    }
    const cells = this.#rows.get(cell);
    return cells && { cells: this.#placed(cells, parent), isLine: this.#isLine(cells, parent) };
  }

  /** Sources: https://html.spec.whatwg.org/#algorithm-for-processing-rows; spans end with the group of rows. */
  #placed(cells: readonly Element[], row: ParentNode): readonly PlacedCell[] {
    const group = isElement(row, 'tr') ? row.parent : null;
    const isSpanning = cells.some(({ attribs }) => attribs.colspan !== undefined || attribs.rowspan !== undefined);
    let spans = group === null ? undefined : this.#spans.get(group);
    if (spans === undefined && isSpanning) {
      spans = new RowSpans();
      if (group !== null) this.#spans.set(group, spans);
    }
    if (spans === undefined) return cells.map((element, index) => ({ element, tabs: index === 0 ? 0 : 1 }));
    spans.beginRow();
    let before = 0;
    return cells.map((element) => {
      const column = this.#spannedLeft > 0 ? spans.place(spanOf(element.attribs.colspan), rowsOf(element)) : before + 1;
      const tabs = Math.max(0, column - before);
      this.#spannedLeft -= Math.max(0, tabs - 1);
      before = column;
      return { element, tabs };
    });
  }

  #isLine(cells: readonly Element[], row: ParentNode): boolean {
    if (cells.length < 2 || cells.some(isPartOfPage)) return false;
    const table = tableOf(row);
    if (isElement(table, 'table') && /^(?:presentation|none)$/i.test(table.attribs.role ?? '')) return false;
    return cells.filter(hasText).length > 1 || this.#isGrid(table);
  }

  /** Some row of it has more than one cell with text. */
  #isGrid(table: ParentNode): boolean {
    let isGrid = this.#grids.get(table);
    if (isGrid === undefined) {
      const groups = [table, ...table.children.filter(isGroup)];
      const rows = groups.flatMap(({ children }) => children.filter((child) => isElement(child, 'tr')));
      isGrid = rows.some((row) => row.children.filter((cell) => isCell(cell) && hasText(cell)).length > 1);
      this.#grids.set(table, isGrid);
    }
    return isGrid;
  }
}

/** Which columns are taken by cells of rows above. */
class RowSpans {
  /** For each column, the first row in which it is free. */
  readonly #freeFrom: number[] = [];
  #row = -1;
  #column = 0;

  beginRow(): void {
    this.#row++;
    this.#column = 0;
  }

  /** The column of the next cell. */
  place(columns: number, rows: number): number {
    while (this.#column < MAX_COLUMNS && (this.#freeFrom[this.#column] ?? 0) > this.#row) this.#column++;
    const column = this.#column;
    this.#column += columns;
    for (let index = column; rows > 1 && index < Math.min(this.#column, MAX_COLUMNS); index++) {
      while (this.#freeFrom.length < index) this.#freeFrom.push(0);
      this.#freeFrom[index] = this.#row + rows;
    }
    return column;
  }
}

function spanOf(written: string | undefined): number {
  const span = Number.parseInt(written ?? '1', 10);
  return span >= 1 ? Math.min(span, MAX_COLUMNS) : 1;
}

/** With 0, it reaches to the end of the group. */
function rowsOf({ attribs: { rowspan } }: Element): number {
  const rows = Number.parseInt(rowspan ?? '1', 10);
  if (rows === 0) return Number.POSITIVE_INFINITY;
  return rows > 0 ? rows : 1;
}

/** Runs of cells that only blanks and comments separate. */
function cellRuns(siblings: readonly AnyNode[]): Element[][] {
  const runs: Element[][] = [];
  let isOpen = false;
  for (const node of siblings) {
    if (isCell(node)) {
      if (node.attribs.hidden !== undefined) continue;
      if (isOpen) runs.at(-1)?.push(node);
      else runs.push([node]);
      isOpen = true;
    } else if (isTag(node) || (isText(node) && /\S/.test(node.data))) isOpen = false;
  }
  return runs;
}

function isElement(node: AnyNode, name: string): node is Element {
  return isTag(node) && node.name === name;
}

function isCell(node: AnyNode): node is Element {
  return isTag(node) && (node.name === 'td' || node.name === 'th');
}

function isGroup(node: AnyNode): node is Element {
  return isTag(node) && /^t(?:head|body|foot)$/.test(node.name);
}

/** What is around the row up to its table, or up to whatever cells are in that lack one. */
function tableOf(row: ParentNode): ParentNode {
  let node = row;
  while (isTag(node) && PARTS_OF_TABLE.has(node.name) && node.parent !== null) node = node.parent;
  return node;
}

/**
 * Whether a cell is part of the page's layout: it has tables or code of several lines in it, or is as long as a text.
 */
function isPartOfPage(cell: Element): boolean {
  let characters = 0;
  let blocks = 0;
  return someIn(cell, (node) => {
    if (isText(node)) characters += node.data.length;
    else if (isTag(node)) {
      if (TABLES.has(node.name)) return true;
      if (node.name === 'pre' && someIn(node, (text) => isText(text) && /\S[^\S\n]*\n\s*\S/.test(text.data)))
        return true;
      if (BLOCKS.has(node.name)) blocks++;
    }
    return characters > MAX_VALUE_LENGTH && blocks > MAX_BLOCKS;
  });
}

function hasText(cell: Element): boolean {
  return someIn(cell, (node) => isText(node) && /\S/.test(node.data));
}

/** Searches in document order, without recursion. */
function someIn(element: Element, isWanted: (node: AnyNode) => boolean): boolean {
  let node: AnyNode | null = element.children[0] ?? null;
  while (node !== null) {
    if (isWanted(node)) return true;
    let next: AnyNode | null = 'children' in node ? (node.children[0] ?? null) : null;
    while (next === null && node !== null && node !== element) {
      next = node.next;
      if (next === null) node = node.parent;
    }
    node = next;
  }
  return false;
}
