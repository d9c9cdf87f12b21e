import { flattened } from './html-flattening.ts';
import { outlineOf } from './html-outline.ts';
import { linkBase } from './link-target.ts';

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

/** A page as text. Never rejects because of bad markup. Source: tool catalogue F.2. */
export async function htmlToText(html: string, input?: HtmlToTextInput): Promise<string> {
  return (await readablePage(html, input)).text;
}

/**
 * A page's title and text. `htmlparser2` parses it, `PageWriter` decides what each element means, and `TextFlow` joins the text to lines.
 * Extremely nested pages are flattened first.
 */
export async function readablePage(html: string, { baseUrl }: HtmlToTextInput = {}): Promise<ReadablePage> {
  const [{ parseDocument, Parser, Tokenizer }, { PageWriter }] = await Promise.all([
    import('htmlparser2'),
    import('./page-writer.ts'),
  ]);
  const source = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  const { title, baseHref, isHeadClosed, isTooDeep } = outlineOf(source, Parser);
  const links = new FirstLinks();
  const writer = new PageWriter({
    baseUrl: baseUrl === undefined ? undefined : linkBase(baseHref, baseUrl),
    isHeadSeen: !isHeadClosed,
    onLink: (target) => links.add(target),
    decodeEntities,
  });
  writer.write(parseDocument(isTooDeep ? shallow() : source).children);
  return { title, text: writer.text(), links: links.targets };

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
