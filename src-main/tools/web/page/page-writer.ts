import type { DomNode, FormatCallback } from 'html-to-text';
import { CellRows, linkTarget, linkText } from './html-nodes.ts';

/** The package's type, which it does not export directly. */
type TextBuilder = Parameters<FormatCallback>[2];

export interface PageWriterOptions {
  /** Relative links are resolved against it; `undefined`: they are left unchanged. */
  readonly baseUrl: string | undefined;
  /** Text inside `<head>` is written too, because nothing marks the end of the head. */
  readonly isHeadSeen: boolean;
  /** Called with the target of each link, in document order. */
  readonly onLink: (target: string) => void;
}

type Meaning = 'paragraph' | 'line' | 'pre' | 'break' | 'link' | 'item' | 'cell' | 'head' | 'unseen';

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...meaning('paragraph', 'p h1 h2 h3 h4 h5 h6 blockquote table'),
  ...meaning('line', 'div tr section article header footer ul ol hr'),
  // Not in the catalogue, but browsers draw them as blocks too.
  ...meaning(
    'line',
    'address aside caption center dd details dl dt fieldset figcaption figure form legend main menu nav',
  ),
  ...meaning('line', 'option search summary'),
  ...meaning('pre', 'pre listing xmp'),
  ...meaning('unseen', 'script style noscript template title img'),
  ...meaning('break', 'br'),
  ...meaning('link', 'a'),
  ...meaning('item', 'li'),
  ...meaning('cell', 'td th'),
  ...meaning('head', 'head'),
]);

function meaning(of: Meaning, names: string): [string, Meaning][] {
  return names.split(' ').map((name) => [name, of]);
}

/** Writes a parsed page by the rules of the tool catalogue, F.2. Its recursion is bounded by the nesting of the page. */
export class PageWriter {
  readonly #builder: TextBuilder;
  readonly #options: PageWriterOptions;
  readonly #rows = new CellRows();

  constructor(builder: TextBuilder, options: PageWriterOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  write(nodes: readonly DomNode[]): void {
    for (const node of nodes) {
      if (node.type === 'text') this.#builder.addInline(node.data ?? '');
      else if (node.type === 'tag') this.#writeElement(node);
    }
  }

  #writeElement(element: DomNode): void {
    switch (MEANINGS.get(element.name ?? '')) {
      case undefined:
        this.write(element.children);
        break;
      case 'paragraph':
        this.#writeBlock(element, 2);
        break;
      case 'line':
        this.#writeBlock(element, 1);
        break;
      case 'pre':
        this.#writeBlock(element, 2, true);
        break;
      case 'break':
        this.#builder.addLineBreak();
        break;
      case 'link':
        this.#writeLink(element);
        break;
      case 'item':
        this.#writeItem(element);
        break;
      case 'cell':
        this.#writeRow(element);
        break;
      case 'head':
        if (this.#options.isHeadSeen) this.write(element.children);
        break;
      case 'unseen':
        break;
    }
  }

  #writeBlock(element: DomNode, lineBreaks: number, isPre = false): void {
    this.#builder.openBlock({ leadingLineBreaks: lineBreaks, isPre });
    this.write(element.children);
    this.#builder.closeBlock({ trailingLineBreaks: lineBreaks });
  }

  /** `text (address)`; only the address if there is no text. */
  #writeLink(link: DomNode): void {
    const written: unknown = link.attribs?.href;
    const target = typeof written === 'string' ? linkTarget(written, this.#options.baseUrl) : undefined;
    if (target !== undefined) this.#options.onLink(target);
    this.write(link.children);
    if (target === undefined) return;
    const { text, alternative } = linkText(link, target.length);
    if (text === '' && alternative !== '') this.#builder.addInline(alternative);
    const shown = text === '' ? alternative : text;
    if (shown === '') this.#builder.addInline(target);
    else if (shown !== target && shown !== written) this.#builder.addInline(` (${target})`);
  }

  #writeItem(item: DomNode): void {
    this.#builder.openBlock({ leadingLineBreaks: 1 });
    this.write(item.children);
    this.#builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => `- ${text.replace(/^\n+/, '')}` });
  }

  /** The first of several adjacent cells writes the whole row, wherever it is: pages omit `tr` and `table`. */
  #writeRow(first: DomNode): void {
    const builder = this.#builder;
    const cells = this.#rows.beginningWith(first);
    if (cells === undefined) return;
    builder.openTable();
    builder.openTableRow();
    for (const cell of cells) {
      builder.openTableCell();
      this.write(cell.children);
      builder.closeTableCell();
    }
    builder.closeTableRow();
    builder.closeTable({ leadingLineBreaks: 1, trailingLineBreaks: 1, tableToString: ([row = []]) => tabbed(row) });
  }
}

function tabbed(row: readonly { readonly text: string }[]): string {
  return row
    .map(({ text }) => text.trim())
    .join('\t')
    .replace(/\t+$/, '');
}
