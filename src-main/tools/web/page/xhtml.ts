/** Elements that never have anything in them: https://html.spec.whatwg.org/#void-elements */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Linear: every beginning ends at the next angle bracket at the latest. */
const CLOSED_AT_ONCE = /<([a-z][\w:.-]*)(\s[^<>]*)?\/>/gi;

/**
 * XHTML as HTML. There `<script src="x"/>` is a whole element; HTML does not know that, and would take the rest of the page
 * for the script. Source: https://www.w3.org/TR/xhtml1/#C_3
 */
export function withClosedElements(xhtml: string): string {
  return xhtml.replace(CLOSED_AT_ONCE, (tag, name: string, attributes = '') =>
    VOID.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  );
}
