import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { linkTarget } from './link-target.ts';
import { BULLETS, ItemNumbers, type ListMarkers } from './list-markers.ts';
import { exponentMarks, isCompound, operandsOf, shortText } from './page-marks.ts';
import { pictureText, writtenAlternative } from './page-pictures.ts';
import { TableRows } from './table-rows.ts';
import { isWord, type TextBuilder, TextFlow } from './text-flow.ts';

export interface PageWriterOptions {
  /** The address against which relative links are resolved. If it is undefined, they are left unchanged. */
  readonly baseUrl: string | undefined;
  /** Text inside `<head>` is written too, because nothing marks the end of the head. */
  readonly isHeadSeen: boolean;
  /** It is called with the target of each link, in document order. */
  readonly onLink: (target: string) => void;
  /** Decodes entities in a text in which the parser leaves them as they are. */
  readonly decodeEntities: (text: string) => string;
}

type Meaning =
  | 'paragraph'
  | 'line'
  | 'pre'
  | 'break'
  | 'link'
  | 'list'
  | 'item'
  | 'cell'
  | 'head'
  | 'unseen'
  | 'box'
  | 'input'
  | 'textarea'
  | 'picture'
  | 'raised'
  | 'struck'
  | 'formula';

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...meaning('paragraph', 'p h1 h2 h3 h4 h5 h6 blockquote table'),
  ...meaning('line', 'div tr section article header footer hr'),
  // The catalogue doesn't name these, but browsers draw them as blocks too.
  ...meaning(
    'line',
    'address aside caption center dd details dl dt fieldset figcaption figure form hgroup legend main',
  ),
  ...meaning('line', 'nav optgroup option search summary'),
  ...meaning('pre', 'pre listing xmp'),
  ...meaning('unseen', 'script style noscript template title iframe annotation annotation-xml'),
  ...meaning('break', 'br'),
  ...meaning('link', 'a'),
  ...meaning('list', 'ul ol menu dir'),
  ...meaning('item', 'li'),
  ...meaning('cell', 'td th'),
  ...meaning('head', 'head'),
  ...meaning('box', 'button label meter output progress select'),
  ...meaning('input', 'input'),
  ...meaning('textarea', 'textarea'),
  ...meaning('picture', 'img'),
  ...meaning('raised', 'sup'),
  ...meaning('struck', 'del s strike'),
  ...meaning('formula', 'mfrac msub msubsup msup msqrt mroot'),
]);
const BOX_ROLE = /^(?:button|tab|option|menuitem(?:checkbox|radio)?|switch|radio|checkbox|treeitem)$/i;
const STRUCK_STYLE = /text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i;
/** Parts of a page of which only one is shown at a time; all of them are its text. */
const TAB_PANEL = /(?:^|[\s_-])tab(?:s|bed)?[-_]*(?:panel|pane|content|body|item)s?(?=$|[\s_-])/i;

function meaning(of: Meaning, names: string): [string, Meaning][] {
  return names.split(' ').map((name) => [name, of]);
}

/**
 * Writes a parsed page by the rules of the tool catalogue, F.2. Its recursion is bounded by the nesting of the page.
 */
export class PageWriter {
  readonly #flow: TextFlow;
  readonly #options: PageWriterOptions;
  readonly #rows = new TableRows();
  readonly #lists: ListMarkers[] = [];
  /** Alternative texts of the pictures in the links that are open, innermost last. */
  readonly #alternatives: string[][] = [];

  constructor(builder: TextBuilder, options: PageWriterOptions) {
    this.#flow = new TextFlow(builder);
    this.#options = options;
  }

  write(nodes: readonly AnyNode[]): void {
    for (const node of nodes) {
      if (isText(node)) this.#flow.add(node.data);
      else if (isTag(node)) this.#writeElement(node);
    }
  }

  end(): void {
    this.#flow.end();
  }

  #writeElement(element: Element): void {
    const { hidden, style, role, 'aria-hidden': isUnheard } = element.attribs;
    if (hidden !== undefined && isHidden(element, hidden)) return;
    if (isUnheard === 'true' && isDrawnFormula(element)) return;
    const isStruck = style !== undefined && STRUCK_STYLE.test(style);
    if (isStruck) this.#flow.openStruck();
    if (role !== undefined && BOX_ROLE.test(role)) {
      this.#flow.part();
      this.#writeContent(element);
      this.#flow.part();
    } else this.#writeContent(element);
    if (isStruck) this.#flow.closeStruck();
  }

  #writeContent(element: Element): void {
    switch (MEANINGS.get(element.name)) {
      case undefined:
        this.write(element.children);
        break;
      case 'paragraph':
        this.#writeBlock(element, 2);
        break;
      case 'line':
        this.#writeBlock(element, 1);
        break;
      case 'pre':
        this.#writePreformatted(2, () => this.write(element.children));
        break;
      case 'break':
        this.#flow.endLine();
        break;
      case 'link':
        this.#writeLink(element);
        break;
      case 'list':
        this.#writeList(element);
        break;
      case 'item':
        this.#writeItem(element);
        break;
      case 'cell':
        this.#writeRow(element);
        break;
      case 'head':
        if (this.#options.isHeadSeen) this.write(element.children);
        break;
      case 'box':
        this.#writeBox(() => this.write(element.children));
        break;
      case 'input':
        this.#writeInput(element);
        break;
      case 'textarea':
        this.#writeTextArea(element);
        break;
      case 'picture':
        this.#writePicture(element);
        break;
      case 'raised':
        this.#writeRaised(element);
        break;
      case 'struck':
        this.#flow.openStruck();
        this.write(element.children);
        this.#flow.closeStruck();
        break;
      case 'formula':
        this.#writeFormula(element);
        break;
      case 'unseen':
        break;
    }
  }

  #writeBlock(element: Element, lineEnds: number): void {
    this.#flow.boundary(lineEnds);
    this.write(element.children);
    this.#flow.boundary(lineEnds);
  }

  #writePreformatted(lineEnds: number, write: () => void): void {
    this.#flow.boundary(lineEnds);
    this.#flow.openPreformatted();
    write();
    this.#flow.closePreformatted();
    this.#flow.boundary(lineEnds);
  }

  #writeBox(write: () => void): void {
    this.#flow.part();
    write();
    this.#flow.part();
  }

  /** `text (address)`; only the address if there is no text. */
  #writeLink(link: Element): void {
    const flow = this.#flow;
    const { href } = link.attribs;
    if (href === undefined) {
      this.write(link.children);
      return;
    }
    const target = linkTarget(href, this.#options.baseUrl);
    if (target !== undefined) this.#options.onLink(target);
    const longest = Math.max(target?.length ?? 0, href.length);
    const isAddress = (shown: string) => shown === target || shown === href;
    const isGlued = target !== undefined && isWord(flow.lastCharacter);
    if (isGlued && isAddress(shortText(link, 2 * longest) ?? '')) flow.part();
    flow.openLink();
    const place = flow.place;
    const alternatives: string[] = [];
    this.#alternatives.push(alternatives);
    this.write(link.children);
    this.#alternatives.pop();
    let shown = flow.textSince(place, longest);
    if (shown === '') {
      shown = alternatives.join(' ') || (target ?? '');
      if (isGlued && isAddress(shown)) flow.part();
      flow.add(shown);
    }
    if (target !== undefined && !isAddress(shown)) flow.append(` (${target})`);
    flow.closeLink();
    if (target !== undefined) flow.part();
  }

  #writeList(list: Element): void {
    this.#lists.push(list.name === 'ol' ? new ItemNumbers(list) : BULLETS);
    this.#flow.openList();
    this.#writeBlock(list, 1);
    this.#flow.closeList();
    this.#lists.pop();
  }

  #writeItem(item: Element): void {
    this.#flow.boundary(1);
    const before = this.#flow.openItem((this.#lists.at(-1) ?? BULLETS).next(item));
    this.write(item.children);
    this.#flow.closeItem(before);
    this.#flow.boundary(1);
  }

  /** The first of several adjacent cells writes the whole row, wherever it is: pages omit `tr` and `table`. */
  #writeRow(first: Element): void {
    const flow = this.#flow;
    const row = this.#rows.beginningWith(first);
    if (row === undefined) return;
    flow.boundary(1);
    const open = flow.openRow();
    for (const { element } of row.cells) {
      flow.openCell(row.isLine);
      this.write(element.children);
      flow.closeCell(row.isLine);
    }
    flow.closeRow(
      open,
      row.cells.map(({ tabs }) => tabs),
    );
    flow.boundary(1);
  }

  /** What its button says. Other values are not the page's text. */
  #writeInput({ attribs: { type = '', value = '', alt = '' } }: Element): void {
    const label = /^(?:submit|reset|button)$/i.test(type.trim()) ? value : /^image$/i.test(type.trim()) ? alt : '';
    this.#writeBox(() => this.#flow.add(label));
  }

  /** The parser gives its content as it is written. */
  #writeTextArea(area: Element): void {
    this.#writePreformatted(1, () => {
      for (const child of area.children) if (isText(child)) this.#flow.add(this.#options.decodeEntities(child.data));
    });
  }

  #writePicture(picture: Element): void {
    const alternatives = this.#alternatives.at(-1);
    if (alternatives !== undefined) {
      const alternative = writtenAlternative(picture);
      if (alternative !== '') alternatives.push(alternative);
      return;
    }
    const text = pictureText(picture, (length) => this.#flow.lastText(length));
    if (text !== '') this.#writeBox(() => this.#flow.add(`[${text}]`));
  }

  #writeRaised(raised: Element): void {
    const marks = exponentMarks(raised, this.#flow.lastCharacter, this.#alternatives.length > 0);
    if (marks !== undefined) this.#flow.add(marks.before);
    this.write(raised.children);
    if (marks !== undefined) this.#flow.append(marks.after);
  }

  /** Writes a formula in one line, as it would be typed. Blanks between its elements mean nothing. */
  #writeFormula(formula: Element): void {
    const [first, second, third] = operandsOf(formula);
    switch (formula.name) {
      case 'mfrac':
        this.#writeOperands([first, '/', second]);
        break;
      case 'msup':
        this.#writeOperands([first, '^', second]);
        break;
      case 'msub':
        this.#writeOperands([first, '_', second]);
        break;
      case 'msubsup':
        this.#writeOperands([first, '_', second, '^', third]);
        break;
      case 'mroot':
        this.#writeOperands([second, '√', first]);
        break;
      default:
        this.#flow.add('√(');
        this.write(formula.children);
        this.#flow.append(')');
    }
  }

  #writeOperands(parts: readonly (Element | string | undefined)[]): void {
    for (const part of parts) {
      if (part === undefined) continue;
      if (typeof part === 'string') this.#flow.add(part);
      else if (isCompound(part)) {
        this.#flow.add('(');
        this.#writeElement(part);
        this.#flow.append(')');
      } else this.#writeElement(part);
    }
  }
}

/**
 * Whether an element is hidden. What waits to be searched doesn't count, nor does a page that a program shows when it
 * is ready.
 */
function isHidden({ name, attribs }: Element, hidden: string): boolean {
  if (hidden.trim().toLowerCase() === 'until-found' || name === 'html' || name === 'body') return false;
  const { role = '', class: classes = '', id = '' } = attribs;
  return !/\btabpanel\b/i.test(role) && !TAB_PANEL.test(classes) && !TAB_PANEL.test(id);
}

/** The picture of a formula, made of letters, after the formula itself: the same again, without its exponents. */
function isDrawnFormula(element: Element): boolean {
  let node: AnyNode | null = element.prev;
  while (node !== null && !isTag(node)) node = node.prev;
  for (let depth = 0; depth < 4 && node !== null && isTag(node); depth++) {
    if (node.name === 'math') return true;
    node = node.children.find(isTag) ?? null;
  }
  return false;
}
