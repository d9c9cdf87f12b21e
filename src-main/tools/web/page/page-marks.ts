import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';

/** No real exponent is longer. */
const MAX_EXPONENT_LENGTH = 40;
const MAX_NODES = 50;
const AFTER = /^[\p{L}\p{M}\p{N})]$/u;
/** Marks of notes, signs, and the ends of ordinal numbers. */
const NOTE = /^(?:[[(（【].*[\])）】]|[*†‡§¶#,;\s]+|(?:tm|sm|®|™|℠|©|\(r\)))$/iu;
const NOTE_CLASS = /foot-?note|end-?note|note-?ref|\bfn\b|\bfnref|\breference\b|citation|\bcite/i;
const ORDINAL = /^(?:st|nd|rd|th)$/i;
/** A sum or a product: without brackets, only its first part would be the exponent. */
const COMPOUND = /^[^\S\n\r\u2028\u2029]*\S.*[-+−–±*/·×⋅=\s]/mu;

/**
 * How a raised text is joined to what it follows: with `^` if it is an exponent (`2^24`, `2^(n-1)`), or undefined if it
 * is a link, the mark of a note or part of a word. `before` is the character that it follows directly.
 */
export function exponentMarks(
  raised: Element,
  before: string,
  isInLink: boolean,
): { before: string; after: string } | undefined {
  if (!AFTER.test(before) || isInLink) return undefined;
  const { class: classes = '', id = '', role = '' } = raised.attribs;
  if (NOTE_CLASS.test(`${classes} ${id} ${role}`)) return undefined;
  const text = shortText(raised, MAX_EXPONENT_LENGTH);
  if (text === undefined || text === '' || NOTE.test(text)) return undefined;
  if (ORDINAL.test(text) && /\p{N}/u.test(before)) return undefined;
  return COMPOUND.test(text) ? { before: '^(', after: ')' } : { before: '^', after: '' };
}

/** The text with its whitespace collapsed, or undefined if it is longer, or has links or marks of notes in it. */
export function shortText(element: Element, longest: number): string | undefined {
  let text = '';
  const left: AnyNode[] = element.children.slice(0, MAX_NODES).reverse();
  for (let visited = 0; visited < MAX_NODES; visited++) {
    const node = left.pop();
    if (node === undefined) return text.replace(/\s+/g, ' ').trim();
    if (isText(node)) text += node.data;
    else if (isTag(node)) {
      if (node.name === 'a' && node.attribs.href !== undefined) return undefined;
      if (NOTE_CLASS.test(node.attribs.class ?? '')) return undefined;
      left.push(...node.children.slice(0, MAX_NODES).reverse());
    }
    if (text.length > longest) return undefined;
  }
  return undefined;
}

/** The child elements of a formula's element; blanks between them mean nothing. */
export function operandsOf(element: Element): readonly Element[] {
  return element.children.filter(isTag);
}

/** Whether it must be in brackets to be read as one. */
export function isCompound(operand: Element): boolean {
  let tokens = 0;
  const left: Element[] = [operand];
  for (let visited = 0; visited < MAX_NODES; visited++) {
    const node = left.pop();
    if (node === undefined) return tokens > 1;
    const children = operandsOf(node);
    if (children.length === 0) tokens++;
    else left.push(...children);
  }
  return true;
}
