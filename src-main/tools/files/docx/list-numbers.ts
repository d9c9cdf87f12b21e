import type { Document, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { getChildren, getElementsByTagName } from 'domutils';
import { parseDocument } from 'htmlparser2';

/** What a paragraph says about its list. */
export interface ListPlace {
  readonly style?: string | undefined;
  readonly list?: string | undefined;
  readonly level?: string | undefined;
}

interface Level {
  readonly format: string;
  /** The text with places for numbers, like `%1.%2.`. */
  readonly pattern: string;
  readonly start: number;
  /** Whether the numbers of higher levels in it are written as decimals: 3.1 for III.1. */
  readonly isLegal: boolean;
}

/** Word has nine. */
const MAX_LEVELS = 9;

/** Numbers of list paragraphs and headings, counted in the order of the document. Source: ECMA-376, part 1, 17.9. */
export class ListNumbers {
  /** The numbers by list, then level. Lists share the numbers of their abstract list. */
  readonly #abstractOf = new Map<string, string>();
  readonly #levels = new Map<string, Map<number, Level>>();
  readonly #restarts = new Map<string, Map<number, number>>();
  readonly #styles = new Map<string, ListPlace & { readonly basedOn?: string | undefined }>();
  readonly #styleLevels = new Map<string, number>();
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #begun = new Set<string>();

  /** Takes both texts as `boundedXml` writes them; each is empty if the document has no such part. */
  constructor(numberingXml: string, stylesXml: string) {
    const numbering = parseDocument(numberingXml, { xmlMode: true });
    for (const abstract of elements(numbering, 'w:abstractNum')) this.#readAbstract(abstract);
    for (const list of elements(numbering, 'w:num')) this.#readList(list);
    for (const style of elements(parseDocument(stylesXml, { xmlMode: true }), 'w:style')) this.#readStyle(style);
  }

  /** Returns the number of the next paragraph, like `2.1.`. It is empty if the paragraph has none. */
  next(place: ListPlace): string {
    const { list, level } = this.#placeOf(place);
    const abstract = list === undefined ? undefined : this.#abstractOf.get(list);
    if (list === undefined || abstract === undefined) return '';
    const levels = this.#levels.get(abstract);
    const own = levels?.get(level);
    if (levels === undefined || own === undefined) return '';
    const counts = this.#counted(abstract, list, level, levels);
    if (own.format === 'bullet' || own.format === 'none') return '';
    return own.pattern.replace(/%([1-9])/g, (_, digit: string) => {
      const each = levels.get(Number(digit) - 1);
      if (each === undefined) return '';
      return numberText(counts[Number(digit) - 1] ?? each.start, own.isLegal ? 'decimal' : each.format);
    });
  }

  #counted(abstract: string, list: string, level: number, levels: ReadonlyMap<number, Level>): (number | undefined)[] {
    const counts = this.#counts.get(abstract) ?? [];
    this.#counts.set(abstract, counts);
    const restart = this.#begun.has(`${list} ${level}`) ? undefined : this.#restarts.get(list)?.get(level);
    this.#begun.add(`${list} ${level}`);
    const before = counts[level];
    counts[level] = restart ?? (before === undefined ? (levels.get(level)?.start ?? 1) : before + 1);
    // A higher level starts those below it anew.
    counts.length = level + 1;
    return counts;
  }

  /** Finds the list in the paragraph, else in its style or those that it is based on. */
  #placeOf({ style, list, level }: ListPlace): { readonly list: string | undefined; readonly level: number } {
    const seen = new Set<string>();
    let found = list;
    let at = level;
    for (let name = style; found === undefined && name !== undefined && !seen.has(name); ) {
      seen.add(name);
      const each = this.#styles.get(name);
      found = each?.list;
      at ??=
        found === undefined
          ? undefined
          : (each?.level ?? this.#styleLevels.get(`${this.#abstractOf.get(found)} ${name}`)?.toString());
      name = each?.basedOn;
    }
    const number = Number(at ?? 0);
    return { list: found, level: Number.isInteger(number) && number >= 0 && number < MAX_LEVELS ? number : 0 };
  }

  #readAbstract(abstract: Element): void {
    const id = abstract.attribs['w:abstractNumId'] ?? '';
    const levels = new Map<number, Level>();
    for (const level of elements(abstract, 'w:lvl')) {
      const index = Number(level.attribs['w:ilvl'] ?? 0);
      levels.set(index, {
        format: valueIn(level, 'w:numFmt') ?? 'decimal',
        pattern: valueIn(level, 'w:lvlText') ?? '',
        start: whole(valueIn(level, 'w:start'), 1),
        isLegal: isOn(child(level, 'w:isLgl')),
      });
      const style = valueIn(level, 'w:pStyle');
      if (style !== undefined) this.#styleLevels.set(`${id} ${style}`, index);
    }
    this.#levels.set(id, levels);
  }

  #readList(list: Element): void {
    const id = list.attribs['w:numId'] ?? '';
    this.#abstractOf.set(id, valueIn(list, 'w:abstractNumId') ?? '');
    const restarts = new Map<number, number>();
    for (const override of elements(list, 'w:lvlOverride')) {
      const start = valueIn(override, 'w:startOverride');
      if (start !== undefined) restarts.set(Number(override.attribs['w:ilvl'] ?? 0), whole(start, 1));
    }
    this.#restarts.set(id, restarts);
  }

  #readStyle(style: Element): void {
    const properties = child(style, 'w:pPr');
    const numbers = properties === undefined ? undefined : child(properties, 'w:numPr');
    this.#styles.set(style.attribs['w:styleId'] ?? '', {
      basedOn: valueIn(style, 'w:basedOn'),
      list: numbers === undefined ? undefined : valueIn(numbers, 'w:numId'),
      level: numbers === undefined ? undefined : valueIn(numbers, 'w:ilvl'),
    });
  }
}

function elements(parent: Document | Element, name: string): readonly Element[] {
  return getElementsByTagName(name, parent.children, true);
}

function child(parent: Element, name: string): Element | undefined {
  return getChildren(parent).find((each): each is Element => isTag(each) && each.name === name);
}

function valueIn(parent: Element, name: string): string | undefined {
  return child(parent, name)?.attribs['w:val'];
}

/** A property that is present is on, unless it says otherwise. Source: ECMA-376, part 1, 17.17.4. */
function isOn(property: Element | undefined): boolean {
  return property !== undefined && !['0', 'false', 'off'].includes(property.attribs['w:val'] ?? '');
}

function whole(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return text !== undefined && Number.isSafeInteger(number) ? number : otherwise;
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
/** Above this number, letters and Roman numbers are no longer readable. */
const MAX_IN_LETTERS = 4_000;

function numberText(number: number, format: string): string {
  if (number < 1 || number >= MAX_IN_LETTERS) return String(number);
  switch (format) {
    case 'lowerLetter':
      return letters(number);
    case 'upperLetter':
      return letters(number).toUpperCase();
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
}

/** Counts as Word does: a, b, …, z, aa, bb. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return letter.repeat(Math.floor((number - 1) / 26) + 1);
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}
