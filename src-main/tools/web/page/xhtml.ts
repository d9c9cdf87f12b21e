/** The elements that have no content. Source: https://html.spec.whatwg.org/#void-elements */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Linear: every attempt ends at the next angle bracket at the latest. */
const CLOSED_AT_ONCE = /<([a-z][\w:.-]*)(\s[^<>]*)?\/>/gi;

/**
 * Converts XHTML to HTML. In XHTML `<script src="x"/>` is a complete element; HTML would take the rest of the page for
 * the script. Source: https://www.w3.org/TR/xhtml1/#C_3
 */
export function withClosedElements(xhtml: string): string {
  return xhtml.replace(CLOSED_AT_ONCE, (tag, name: string, attributes = '') =>
    VOID.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  );
}
