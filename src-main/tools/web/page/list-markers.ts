import type { Element } from 'domhandler';
import { isTag } from 'domhandler';

/** What precedes the items of one list. */
export interface ListMarkers {
  next(item: Element): string;
}

export const BULLETS: ListMarkers = { next: () => '- ' };

type Numbering = '1' | 'a' | 'A' | 'i' | 'I';

const NUMBERINGS: ReadonlyMap<string, Numbering> = new Map([
  ['1', '1'],
  ['a', 'a'],
  ['A', 'A'],
  ['i', 'i'],
  ['I', 'I'],
  ['decimal', '1'],
  ['lower-alpha', 'a'],
  ['lower-latin', 'a'],
  ['upper-alpha', 'A'],
  ['upper-latin', 'A'],
  ['lower-roman', 'i'],
  ['upper-roman', 'I'],
]);
const LIST_STYLE = /list-style(?:-type)?\s*:[^;]*?\b(decimal|(?:lower|upper)-(?:alpha|latin|roman))\b/i;

/** Counts the items of an `ol`. Source: https://html.spec.whatwg.org/#the-ol-element */
export class ItemNumbers implements ListMarkers {
  readonly #list: Element;
  readonly #step: 1 | -1;
  #number: number;

  constructor(list: Element) {
    this.#list = list;
    const isReversed = list.attribs.reversed !== undefined;
    this.#step = isReversed ? -1 : 1;
    this.#number = integerIn(list.attribs.start) ?? (isReversed ? itemsOf(list) : 1);
  }

  next(item: Element): string {
    const number = integerIn(item.attribs.value) ?? this.#number;
    this.#number = number + this.#step;
    return `${numeral(number, numberingOf(item) ?? numberingOf(this.#list) ?? '1')}. `;
  }
}

/** The integer at the beginning of a text, or undefined if there is none. */
function integerIn(written: string | undefined): number | undefined {
  const [, digits] = /^\s*([-+]?\d+)/.exec(written ?? '') ?? [];
  const number = Number(digits);
  return Math.abs(number) <= 2 ** 31 ? number : undefined;
}

function numberingOf({ attribs: { type, style } }: Element): Numbering | undefined {
  const styled = style === undefined ? undefined : LIST_STYLE.exec(style)?.[1];
  return NUMBERINGS.get(styled?.toLowerCase() ?? type?.trim() ?? '');
}

/** Counts the list's own items, not those of lists in it. */
function itemsOf(list: Element): number {
  return list.children.filter((child) => isTag(child) && child.name === 'li' && child.attribs.hidden === undefined)
    .length;
}

function numeral(number: number, numbering: Numbering): string {
  const written = number < 1 ? undefined : numbering === 'a' || numbering === 'A' ? letters(number) : roman(number);
  if (numbering === '1' || written === undefined) return String(number);
  return numbering === 'A' || numbering === 'I' ? written.toUpperCase() : written;
}

/** Writes a number in letters: a, b, …, z, aa, ab, and so on. */
function letters(number: number): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(97 + ((left - 1) % 26)) + text;
  return text;
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Undefined if there is no such Roman numeral. */
function roman(number: number): string | undefined {
  if (number > 3_999) return undefined;
  let left = number;
  let text = '';
  for (const [value, numeralOf] of ROMAN)
    while (left >= value) {
      text += numeralOf;
      left -= value;
    }
  return text;
}
