import type { FormatCallback, HtmlToTextOptions } from 'html-to-text';
import { flattened } from './html-flattening.ts';
import { linkBase } from './html-nodes.ts';
import { outlineOf } from './html-outline.ts';
import { PageWriter } from './page-writer.ts';

export interface HtmlToTextInput {
  /** Relative links are resolved against it; absent: they are left unchanged. */
  readonly baseUrl?: string | undefined;
}

export interface ReadablePage {
  /** Empty: the page has none. */
  readonly title: string;
  readonly text: string;
  /** Targets of its first links to the web, in document order, without duplicates. Absolute. */
  readonly links: readonly string[];
}

/** Everything is wrapped in one element of this name; `PageWriter` walks the tree from there. */
const ROOT = 'steward-page';

/** A page as text. Never rejects because of bad markup. Source: tool catalogue F.2. */
export async function htmlToText(html: string, input?: HtmlToTextInput): Promise<string> {
  return (await readablePage(html, input)).text;
}

/**
 * A page's title and text. The `html-to-text` package does the parsing, whitespace, and joining of lines, blocks and cells. `PageWriter`
 * decides what each element means: the package's own formatters for links, lists and tables can't follow our rules, selecting them fails
 * on `<constructor>` and takes half as long as everything else, and its recursion overflows the stack. Extremely nested pages are
 * flattened first.
 */
export async function readablePage(html: string, { baseUrl }: HtmlToTextInput = {}): Promise<ReadablePage> {
  const [{ convert }, { Parser, Tokenizer }] = await Promise.all([import('html-to-text'), import('htmlparser2')]);
  const source = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const { title, baseHref, isHeadClosed, isTooDeep } = outlineOf(source, Parser);
  const base = baseUrl === undefined ? undefined : linkBase(baseHref, baseUrl);
  const links = new FirstLinks();
  const page: FormatCallback = (root, _walk, builder) =>
    new PageWriter(builder, { baseUrl: base, isHeadSeen: !isHeadClosed, onLink: (target) => links.add(target) }).write(
      root.children,
    );
  const body = isTooDeep ? shallow() : source;
  const text = tidied(convert(`<${ROOT}>${body}`, optionsFor(page)));
  return { title, text, links: links.targets };

  function shallow(): string {
    const flat = flattened(source, Tokenizer);
    if (!outlineOf(flat, Parser).isTooDeep) return flat;
    // Something that the tokenizer treats as text in one place and as tags in another: then all of it is text.
    return flat.replace(/<[^<>]*>/g, ' ').replaceAll('<', '&lt;');
  }
}

function optionsFor(page: FormatCallback): HtmlToTextOptions {
  return {
    wordwrap: false,
    // No limit: the page was capped before, and a cut here would go unnoticed.
    limits: { maxInputLength: undefined },
    whitespaceCharacters: ' \t\r\n\f\u00a0',
    baseElements: { selectors: [ROOT] },
    formatters: { page },
    selectors: [{ selector: ROOT, format: 'page' }],
  };
}

/** Whitespace that the package leaves in `pre` and between blocks. */
function tidied(text: string): string {
  const blanked = text.replaceAll('\u00a0', ' ');
  const trimmed = /[ \t]\n/.test(blanked) ? blanked.split('\n').map(trimmedEnd).join('\n') : blanked;
  return trimmed.replace(/\n{3,}/g, '\n\n').trim();
}

function trimmedEnd(line: string): string {
  return line.trimEnd();
}

/** With more links to choose from, the choice itself could leak too much. */
const MOST_LINKS = 200;
/** No one writes a longer address by hand, and it would be stored with every result. */
const LONGEST_LINK = 2_000;

/** The links of a page that may be followed from it. */
class FirstLinks {
  readonly #targets = new Set<string>();

  add(target: string): void {
    if (this.#targets.size >= MOST_LINKS || target.length > LONGEST_LINK || !URL.canParse(target)) return;
    const url = new URL(target);
    url.hash = '';
    if (/^https?:$/.test(url.protocol)) this.#targets.add(url.href);
  }

  get targets(): readonly string[] {
    return [...this.#targets];
  }
}
