import { counted } from '../ui/amounts.ts';

/** A block shows twelve lines; more than this many are never needed for that. */
export const DRAWN_LINES = 12;
/** Longer than any line of twelve that fit into the sheet. */
const DRAWN_CHARACTERS = 6_000;

/** The beginning of a text, and what is left of it, in words. Whoever draws a megabyte for its first lines draws nothing in time. */
export function firstLines(text: string): { readonly beginning: string; readonly rest: string } {
  let linesEnd = -1;
  for (let line = 0; line < DRAWN_LINES && linesEnd < text.length; line += 1) {
    const next = text.indexOf('\n', linesEnd + 1);
    linesEnd = next === -1 ? text.length : next;
  }
  if (linesEnd > DRAWN_CHARACTERS) {
    const left = text.length - DRAWN_CHARACTERS;
    return { beginning: text.slice(0, DRAWN_CHARACTERS), rest: counted(left, 'more character') };
  }
  if (linesEnd === text.length) return { beginning: text, rest: '' };
  return {
    beginning: text.slice(0, linesEnd),
    rest: counted(text.slice(linesEnd + 1).split('\n').length, 'more line'),
  };
}
