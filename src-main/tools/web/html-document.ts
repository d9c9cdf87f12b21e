import type { AnyNode, Document, Element } from 'domhandler';

/** A page that is read by CSS selectors. What is broken in it is read as a browser would, never refused. */
export interface HtmlDocument {
  /** In document order. */
  all(selector: string, within?: Element): readonly Element[];
  /** Of the first selector that finds something with text in it: that text. */
  firstText(selectors: readonly string[], within?: Element): string | undefined;
  /** Text without tags, entities decoded once, runs of whitespace as one blank. */
  text(node: AnyNode): string;
  innerHtml(element: Element): string;
  /** Takes these out of the document. */
  remove(selector: string, within: Element): void;
}

/** The parser is loaded by the first call that needs it. */
export async function parseHtml(html: string): Promise<HtmlDocument> {
  const [{ parseDocument }, { selectAll }, { getInnerHTML, innerText, removeElement }] = await Promise.all([
    import('htmlparser2'),
    import('css-select'),
    import('domutils'),
  ]);
  const document: Document = parseDocument(html);
  const all = (selector: string, within?: Element): Element[] =>
    selectAll<AnyNode, Element>(selector, within === undefined ? document.children : within.children);
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

/** Entities decoded once; what looks like a tag stays as it is. */
export async function decodeEntities(text: string): Promise<string> {
  if (!text.includes('&')) return text;
  const [{ parseDocument }, { textContent }] = await Promise.all([import('htmlparser2'), import('domutils')]);
  return textContent(parseDocument(text.replaceAll('<', '&lt;')));
}

/** Runs of whitespace (nbsp too) as one blank, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
