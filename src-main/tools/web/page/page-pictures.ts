import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';

/** Names of what decorates, of files, and of what a program put there. */
const SAYS_NOTHING =
  /^(?:(?:[\p{L}\p{N}-]+ ){0,3}icon|(?:an? )?(?:image|img|picture|pic|photo|graphic|spacer|bullet|arrow|blank|logo|divider|separator|line|dot|pixel|placeholder|thumbnail|avatar|no alt text|alt text)s?|(?:img|dsc|image|picture|photo)[ _-]?\d+)$/iu;
const FILE_NAME = /^(?=\S*$)\S*(?:\.(?:png|jpe?g|gif|svgz?|webp|bmp|ico|avif|tiff?|apng)$|[/\\])/i;
/** Lines, bullets and arrows made of punctuation. */
const ONLY_MARKS = /^[\p{P}\p{Sm}\p{Sk}\s]*$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const FORMULA = /math|formula|equation|\b(?:la)?tex\b/i;
const ICON_CLASS = /(?:^|[\s_-])(?:icons?|smil(?:ey|ie)s?|bullet|spacer|avatar)(?:$|[\s_-])/i;
const TRACKER_PX = 3;
const ICON_PX = 32;
/** What is beside a picture is near: a caption, the cell next to it. */
const BESIDE = 160;
const MAX_NODES = 60;
/** The text of a picture is what it shows, and nobody describes one at greater length. */
const MAX_LENGTH = 2_000;

/**
 * The alternative as it is written, in one line. Empty if the picture has none, or if it is hidden from people who
 * listen to the page.
 */
export function writtenAlternative({ attribs }: Element): string {
  const { alt = '', role, 'aria-hidden': hidden } = attribs;
  if (hidden === 'true' || role === 'presentation' || role === 'none') return '';
  const written = alt.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim();
  return /^\[[^[\]]*\]$/.test(written) ? written.slice(1, -1).trim() : written;
}

/**
 * What a picture says that the page doesn't say by itself: nothing for icons, and nothing that the text beside it says.
 * `textBefore` gives at least so many of the characters before it.
 */
export function pictureText(picture: Element, textBefore: (length: number) => string): string {
  const alternative = writtenAlternative(picture);
  if (alternative === '' || SAYS_NOTHING.test(alternative) || FILE_NAME.test(alternative)) return '';
  const isSymbol = PICTOGRAPH.test(alternative);
  if (!isSymbol && ONLY_MARKS.test(alternative)) return '';
  const size = largestSide(picture);
  if (size <= TRACKER_PX) return '';
  const { class: classes = '', id = '', src = '' } = picture.attribs;
  if (!alternative.includes(' ') && alternative.length > 2 && src.includes(alternative)) return '';
  const isFormula = FORMULA.test(classes) || /^[$\\]/.test(alternative);
  if (!isSymbol && !isFormula && (size <= ICON_PX || ICON_CLASS.test(`${classes} ${id}`)) && hasTextBeside(picture))
    return '';
  const said = wordsOf(alternative.replace(/ (?:logo|icon)$/i, ''));
  if (said === '  ') return alternative;
  const reach = alternative.length + BESIDE;
  const isSaid = wordsOf(textBefore(reach)).includes(said) || wordsOf(textAfter(picture, reach)).includes(said);
  return isSaid ? '' : alternative;
}

/** Pixels; infinite: it is not known. */
function largestSide({ attribs: { width, height, style = '' } }: Element): number {
  const side = (name: string, written: string | undefined) => {
    const styled = new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`, 'i').exec(style)?.[1];
    const [, digits] = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(styled ?? written ?? '') ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const sides = [side('width', width), side('height', height)].filter((each) => each !== undefined);
  return sides.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...sides);
}

const PARTS = new Set('p div li td th dt dd h1 h2 h3 h4 h5 h6 figure button a body section article'.split(' '));

/** Whether there is text in the same paragraph, item or cell. */
function hasTextBeside(picture: Element): boolean {
  let part: AnyNode = picture;
  while (part.parent !== null && !(isTag(part) && PARTS.has(part.name))) part = part.parent;
  let visited = 0;
  const left: AnyNode[] = [part];
  for (let node = left.pop(); node !== undefined && visited < MAX_NODES; node = left.pop()) {
    visited++;
    if (isText(node) && /\S/.test(node.data)) return true;
    if ('children' in node) left.push(...node.children.slice(0, MAX_NODES));
  }
  return false;
}

/** The text that follows a picture, of at least `length` characters if there are as many near it. */
function textAfter(picture: Element, length: number): string {
  let text = '';
  let node: AnyNode | null = picture;
  for (let visited = 0; visited < MAX_NODES && text.length < length; visited++) {
    let next: AnyNode | null = 'children' in node && !isUnseen(node) ? (node.children[0] ?? null) : null;
    for (let from: AnyNode | null = node; next === null && from !== null; from = from.parent) next = from.next;
    if (next === null) break;
    node = next;
    if (isText(node)) text += node.data.slice(0, length);
    // A word in the middle of an element is one word.
    else if (isTag(node) && PARTS.has(node.name)) text += ' ';
  }
  return text;
}

function isUnseen(node: AnyNode): boolean {
  return isTag(node) && /^(?:script|style|noscript|template)$/.test(node.name);
}

/** ` only words and numbers `, to be found in another. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;
}
