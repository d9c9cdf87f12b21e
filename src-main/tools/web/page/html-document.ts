import type { AnyNode, Document, Element } from 'domhandler';
import { outlineOf } from './html-outline.ts';

/** A page queried with CSS selectors. Broken markup is parsed as a browser would, never rejected. */
export interface HtmlDocument {
  /** The elements in document order. */
  all(selector: string, within?: Element): readonly Element[];
  /** The text of the first match that has any; selectors are tried in order. */
  firstText(selectors: readonly string[], within?: Element): string | undefined;
  /** Text without tags, entities decoded once, runs of whitespace as one blank. */
  text(node: AnyNode): string;
  innerHtml(element: Element): string;
  /** Removes these from the document. */
  remove(selector: string, within: Element): void;
}

/**
 * The parser is loaded by the first call that needs it. Rejects for an extremely nested page: parsing it takes
 * quadratic time, and walking its tree would overflow the stack.
 */
export async function parseHtml(html: string): Promise<HtmlDocument> {
  const [{ parseDocument, Parser }, { selectAll }, { getInnerHTML, innerText, removeElement }] = await Promise.all([
    import('htmlparser2'),
    import('css-select'),
    import('domutils'),
  ]);
  if (outlineOf(html, Parser).isTooDeep) throw new Error('the page is nested too deeply to read');
  const document: Document = parseDocument(html);
  // Given a list, css-select would first compare each element with all others.
  const all = (selector: string, within: Element | Document = document): Element[] =>
    selectAll<AnyNode, Element>(selector, within);
  const text = (node: AnyNode) => collapsed(innerText(node));
  return {
    all,
    text,
    firstText: (selectors, within) => {
      for (const selector of selectors) {
        for (const element of all(selector, within)) {
          const found = text(element);
          if (found !== '') return found;
        }
      }
      return undefined;
    },
    innerHtml: (element) => getInnerHTML(element),
    remove: (selector, within) => {
      for (const element of all(selector, within)) removeElement(element);
    },
  };
}

/** Entities decoded once; anything that looks like a tag is kept. */
export async function decodeEntities(text: string): Promise<string> {
  if (!text.includes('&')) return text;
  const [{ parseDocument }, { textContent }] = await Promise.all([import('htmlparser2'), import('domutils')]);
  return textContent(parseDocument(text.replaceAll('<', '&lt;')));
}

/** Runs of whitespace (nbsp too) as one blank, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
