import type { FormatCallback, HtmlToTextOptions, SelectorDefinition } from 'html-to-text';
import { flattened } from './html-flattening.ts';
import { linkTarget, linkText, rowsOf } from './html-nodes.ts';
import { type HtmlOutline, outlineOf } from './html-outline.ts';

export interface HtmlToTextInput {
  /** Relative links are resolved against it; absent: they are left alone. */
  readonly baseUrl?: string;
}

export interface ReadablePage {
  /** Empty: the page has none. */
  readonly title: string;
  readonly text: string;
}

/** A page as text. Bad markup never makes it reject. Source: tool catalogue F.2. */
export async function htmlToText(html: string, input?: HtmlToTextInput): Promise<string> {
  return (await readablePage(html, input)).text;
}

/**
 * A page's title and text. Parsing, whitespace and the joining of lines and blocks are the `html-to-text` package's. Ours are
 * the rules that its formatters do not know (links, list items, rows of cells), and the care for pages that are made to be
 * slow: what is nested without measure is flattened before the package sees it.
 */
export async function readablePage(html: string, { baseUrl }: HtmlToTextInput = {}): Promise<ReadablePage> {
  const [{ compile }, { Parser, Tokenizer }] = await Promise.all([import('html-to-text'), import('htmlparser2')]);
  const source = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const outline = outlineOf(source, Parser);
  const convert = compile(optionsFor(outline, baseUrl));
  return { title: outline.title, text: tidied(convert(outline.isTooDeep ? shallow() : source)) };

  function shallow(): string {
    const flat = flattened(source, Tokenizer);
    if (!outlineOf(flat, Parser).isTooDeep) return flat;
    // Something that the tokenizer takes for text in one place and for tags in another: then it is all text.
    return flat.replace(/<[^<>]*>/g, ' ').replaceAll('<', '&lt;');
  }
}

const PARAGRAPHS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'table'];
/** The catalogue's, and those that a browser draws as blocks too. */
const LINES = [
  ...['div', 'tr', 'section', 'article', 'header', 'footer', 'ul', 'ol', 'hr'],
  ...['address', 'aside', 'caption', 'dd', 'details', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'form', 'legend'],
  ...['main', 'menu', 'nav', 'option', 'summary'],
];

function optionsFor({ baseHref, isHeadClosed }: HtmlOutline, pageUrl: string | undefined): HtmlToTextOptions {
  const baseUrl = pageUrl === undefined ? undefined : (linkTarget(baseHref, pageUrl) ?? pageUrl);
  return {
    wordwrap: false,
    // No limits: a page is capped before it comes here, and what was cut would be missing without a word.
    limits: { maxInputLength: undefined },
    // Everything counts, also what stands outside of `<body>`.
    baseElements: { selectors: [], returnDomByDefault: true },
    whitespaceCharacters: ' \t\r\n\f\u00a0',
    formatters: { link: linkFormatter(baseUrl), item, cells: cellsFormatter() },
    selectors: [
      ...PARAGRAPHS.map((selector) => block(selector, 2)),
      ...LINES.map((selector) => block(selector, 1)),
      { selector: 'pre', format: 'pre', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      ...['script', 'style', 'noscript', 'template', 'title', 'img'].map((selector) => ({ selector, format: 'skip' })),
      { selector: 'head', format: isHeadClosed ? 'skip' : 'inline' },
      { selector: 'a', format: 'link' },
      { selector: 'li', format: 'item' },
      { selector: 'td', format: 'cells' },
      { selector: 'th', format: 'cells' },
    ],
  };
}

function block(selector: string, lineBreaks: number): SelectorDefinition {
  return {
    selector,
    format: 'block',
    options: { leadingLineBreaks: lineBreaks, trailingLineBreaks: lineBreaks },
  };
}

/** `text (address)`; the address alone where there is no text. */
function linkFormatter(baseUrl: string | undefined): FormatCallback {
  return (element, walk, builder) => {
    walk(element.children, builder);
    const written: unknown = element.attribs?.href;
    const target = typeof written === 'string' ? linkTarget(written, baseUrl) : undefined;
    if (target === undefined) return;
    const { text, alternative } = linkText(element, target.length);
    if (text === '' && alternative !== '') builder.addInline(alternative);
    const shown = text === '' ? alternative : text;
    if (shown === '') builder.addInline(target);
    else if (shown !== target && shown !== written) builder.addInline(` (${target})`);
  };
}

const item: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => `- ${text.replace(/^\n+/, '')}` });
};

/** The first of the cells beside each other brings the whole row, wherever it stands: pages leave `tr` and `table` out. */
function cellsFormatter(): FormatCallback {
  const rows = rowsOf();
  return (element, walk, builder) => {
    const cells = rows.beginningWith(element);
    if (cells === undefined) return;
    builder.openTable();
    builder.openTableRow();
    for (const cell of cells) {
      builder.openTableCell();
      walk(cell.children, builder);
      builder.closeTableCell();
    }
    builder.closeTableRow();
    builder.closeTable({
      leadingLineBreaks: 1,
      trailingLineBreaks: 1,
      tableToString: ([row = []]) =>
        row
          .map(({ text }) => text.trim())
          .join('\t')
          .replace(/\t+$/, ''),
    });
  };
}

/** What the package leaves in `pre` and between blocks. */
function tidied(text: string): string {
  const blanked = text.replaceAll('\u00a0', ' ');
  const trimmed = /[ \t]\n/.test(blanked) ? blanked.split('\n').map(trimmedEnd).join('\n') : blanked;
  return trimmed.replace(/\n{3,}/g, '\n\n').trim();
}

function trimmedEnd(line: string): string {
  return line.trimEnd();
}
