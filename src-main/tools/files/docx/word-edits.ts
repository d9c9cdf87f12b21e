import { escaped, type XmlEdits } from './bounded-xml.ts';
import type { ListNumbers, ListPlace } from './list-numbers.ts';
import { type MathElement, mathElement, mathText } from './math-text.ts';

export interface WordEditsOptions {
  /** The numbers of the document's lists; absent if the part has none. */
  readonly numbers?: ListNumbers;
  /** Addresses of links by relationship, for a part whose links mammoth would look up in another. */
  readonly links?: ReadonlyMap<string, string>;
}

/** The pictures of these elements are not read, and a relationship that is missing would be an error. */
const PICTURES = new Set(['a:blip', 'v:imagedata']);
const EQUATIONS = new Set(['m:oMath', 'm:oMathPara']);

/** Elements that mammoth leaves out with all that is in them, or that are blank, and what it reads in the same way. */
const READ_AS: ReadonlyMap<string, string> = new Map([
  ...['w:fldSimple', 'w:dir', 'w:bdo', 'w:ruby', 'w:rubyBase'].map((name) => [name, 'w:smartTag'] as const),
  ['w:ptab', 'w:tab'],
  ['w:cr', 'w:br'],
]);

/**
 * Writes as plain text what mammoth doesn't read: equations, the numbers of lists, and the links of headers and
 * footers. Of the looks of runs it keeps what changes their meaning: that they are raised.
 */
export class WordEdits implements XmlEdits {
  readonly #options: WordEditsOptions;
  /** The open elements of an equation. */
  #math: MathElement[] = [];
  #place: { style?: string; list?: string; level?: string } = {};
  #isRaised = false;
  #link: { readonly address: string; text: string } | undefined;
  #isDropCap = false;
  /** The alternative text of a picture. */
  #picture = '';

  constructor(options: WordEditsOptions = {}) {
    this.#options = options;
  }

  nameOf(name: string): string {
    return READ_AS.get(name) ?? name;
  }

  opened(path: readonly string[]): boolean {
    const name = path.at(-1) ?? '';
    if (this.#math.length > 0 || EQUATIONS.has(name)) {
      const element = mathElement(name.replace(/^m:/, ''));
      this.#math.at(-1)?.children.push(element);
      this.#math.push(element);
      return true;
    }
    if (name === 'w:pPr' && path.at(-2) === 'w:p') this.#place = {};
    if (name === 'w:rPr' && path.at(-2) === 'w:r') this.#isRaised = false;
    return PICTURES.has(name);
  }

  attribute(path: readonly string[], name: string, value: string): boolean {
    const element = this.#math.at(-1);
    if (element !== undefined && name === 'm:val') element.value = value;
    const inElement = path.at(-1);
    if (inElement === 'w:hyperlink' && name === 'r:id' && this.#options.links !== undefined) {
      this.#link = { address: this.#options.links.get(value) ?? '', text: '' };
      return false;
    }
    if (inElement === 'wp:docPr' && name === 'descr') this.#picture = value;
    if (inElement === 'w:framePr' && name === 'w:dropCap') this.#isDropCap = value !== 'none';
    if (name !== 'w:val') return true;
    const parent = path.at(-2);
    const isOfParagraph = path.at(-3) === 'w:p' && parent === 'w:pPr';
    const isOfNumbers = path.at(-4) === 'w:p' && path.at(-3) === 'w:pPr' && parent === 'w:numPr';
    if (inElement === 'w:pStyle' && isOfParagraph) this.#place.style = value;
    if (inElement === 'w:numId' && isOfNumbers) this.#place.list = value;
    if (inElement === 'w:ilvl' && isOfNumbers) this.#place.level = value;
    if (inElement === 'w:vertAlign' && parent === 'w:rPr' && path.at(-3) === 'w:r')
      this.#isRaised = value === 'superscript';
    return true;
  }

  text(path: readonly string[], text: string): void {
    const element = this.#math.at(-1);
    if (element !== undefined) element.text += text;
    if (this.#link !== undefined && path.at(-1) === 'w:t') this.#link.text += text;
  }

  closed(path: readonly string[], name: string): string {
    if (this.#math.length > 0) return this.#closedMath();
    const parent = path.at(-1);
    if (name === 'w:rPr' && parent === 'w:r' && this.#isRaised) return RAISED;
    if (name === 'w:pPr' && parent === 'w:p') return this.#numberOf(this.#place);
    if (name === 'w:framePr') return this.#closedFrame();
    if (name === 'w:hyperlink') return this.#closedLink();
    if (name === 'w:drawing') return this.#closedPicture();
    return '';
  }

  #closedMath(): string {
    const element = this.#math.pop();
    if (element === undefined || this.#math.length > 0) return '';
    const equations =
      element.name === 'oMathPara' ? element.children.filter(({ name }) => name === 'oMath') : [element];
    return run(equations.map(mathText).join('; '));
  }

  #numberOf(place: ListPlace): string {
    const number = this.#options.numbers?.next(place) ?? '';
    return number.trim() === '' ? '' : run(`${number.trim()} `);
  }

  #closedFrame(): string {
    const isDropCap = this.#isDropCap;
    this.#isDropCap = false;
    return isDropCap ? JOINED : '';
  }

  #closedPicture(): string {
    const alternative = this.#picture.trim();
    this.#picture = '';
    return alternative === '' ? '' : run(`[${alternative}]`);
  }

  #closedLink(): string {
    const { address = '', text = '' } = this.#link ?? {};
    this.#link = undefined;
    return address === '' || address === text ? '' : run(` (${address})`);
  }
}

const RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>';

/**
 * Marks a paragraph whose end was deleted, so that the next one goes on in it. A large initial is such a paragraph of
 * its own.
 */
const JOINED = '<w:rPr><w:del/></w:rPr>';

function run(text: string): string {
  return text === '' ? '' : `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
}
