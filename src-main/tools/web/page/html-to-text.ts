import type { Document } from 'domhandler';
import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text';
import { flattened } from './html-flattening.ts';
import { outlineOf } from './html-outline.ts';
import { linkBase } from './link-target.ts';
import { PageWriter } from './page-writer.ts';

export interface HtmlToTextInput {
  /** The address against which relative links are resolved. Without it, they are left unchanged. */
  readonly baseUrl?: string | undefined;
}

export interface ReadablePage {
  /** The title, or an empty text if the page has none. */
  readonly title: string;
  readonly text: string;
  /** The absolute targets of its first links to the web, in document order, without duplicates. */
  readonly links: readonly string[];
}

/** A page as text. Never rejects because of bad markup. Source: tool catalogue F.2. */
export async function htmlToText(html: string, input?: HtmlToTextInput): Promise<string> {
  return (await readablePage(html, input)).text;
}

/**
 * The formatter is called for this element, which comes before the page's own nodes. Nothing in the page can end it.
 */
const MARKER = 'steward-page';

/**
 * A page's title and text. The `html-to-text` package does the parsing, whitespace, and joining of lines, blocks and
 * cells. `PageWriter` decides what each element means: the package's own formatters for links, lists and tables can't
 * follow our rules, selecting them fails on `<constructor>` and takes half as long as everything else, and its
 * recursion overflows the stack. Extremely nested pages are flattened first.
 */
export async function readablePage(html: string, { baseUrl }: HtmlToTextInput = {}): Promise<ReadablePage> {
  const [{ convert }, { Parser, Tokenizer }] = await Promise.all([import('html-to-text'), import('htmlparser2')]);
  const source = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const { title, baseHref, isHeadClosed, isTooDeep } = outlineOf(source, Parser);
  const links = new FirstLinks();
  const page: FormatCallback = ({ parent }, _walk, builder) => {
    const writer = new PageWriter(builder, {
      baseUrl: baseUrl === undefined ? undefined : linkBase(baseHref, baseUrl),
      isHeadSeen: !isHeadClosed,
      onLink: (target) => links.add(target),
      decodeEntities,
    });
    if (isDocument(parent)) writer.write(parent.children);
    writer.end();
  };
  const text = convert(`<${MARKER}></${MARKER}>${isTooDeep ? shallow() : source}`, optionsFor(page)).trim();
  return { title, text, links: links.targets };

  function shallow(): string {
    const flat = flattened(source, Tokenizer);
    if (!outlineOf(flat, Parser).isTooDeep) return flat;
    // Something that the tokenizer treats as text in one place and as tags in another: then all of it is text.
    return flat.replace(/<[^<>]*>/g, ' ').replaceAll('<', '&lt;');
  }

  function decodeEntities(text: string): string {
    if (!text.includes('&')) return text;
    const parts: string[] = [];
    new Parser({ ontext: (part) => parts.push(part) }).end(text.replaceAll('<', '&lt;'));
    return parts.join('');
  }
}

/** The package's nodes are the parser's. */
function isDocument(node: DomNode | undefined): node is DomNode & Document {
  return node?.type === 'root';
}

function optionsFor(page: FormatCallback): HtmlToTextOptions {
  return {
    wordwrap: false,
    // The length has no limit here, because the page was capped before, and a cut would go unnoticed.
    limits: { maxInputLength: undefined, maxBaseElements: 1 },
    whitespaceCharacters: ' \t\r\n\f\u00a0',
    baseElements: { selectors: [MARKER] },
    formatters: { page },
    selectors: [{ selector: MARKER, format: 'page' }],
  };
}

/** With more links to choose from, the choice itself could leak too much. */
const MAX_LINKS = 200;
/** No one writes a longer address by hand, and it would be stored with every result. */
const MAX_LINK_LENGTH = 2_000;

/** The links of a page that may be followed from it. */
class FirstLinks {
  readonly #targets = new Set<string>();

  add(target: string): void {
    if (this.#targets.size >= MAX_LINKS || target.length > MAX_LINK_LENGTH || !URL.canParse(target)) return;
    const url = new URL(target);
    url.hash = '';
    if (/^https?:$/.test(url.protocol)) this.#targets.add(url.href);
  }

  get targets(): readonly string[] {
    return [...this.#targets];
  }
}
