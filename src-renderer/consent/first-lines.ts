/** A block shows twelve lines; more than this are never needed. */
export const DRAWN_LINES = 12;
/** Twelve lines that fit into the sheet are never longer than this. */
const DRAWN_CHARACTERS = 6_000;

/** How much follows the start: in lines, or in characters if a line is very long. */
export interface Rest {
  readonly lines: number;
  readonly characters: number;
}

export const NOTHING_LEFT: Rest = { lines: 0, characters: 0 };

/** The start of a text and how much follows. Rendering a whole megabyte to show its first lines would be too slow. */
export function firstLines(text: string): { readonly beginning: string; readonly rest: Rest } {
  let linesEnd = -1;
  for (let line = 0; line < DRAWN_LINES && linesEnd < text.length; line += 1) {
    const next = text.indexOf('\n', linesEnd + 1);
    linesEnd = next === -1 ? text.length : next;
  }
  if (linesEnd > DRAWN_CHARACTERS) {
    const rest = { lines: 0, characters: text.length - DRAWN_CHARACTERS };
    return { beginning: text.slice(0, DRAWN_CHARACTERS), rest };
  }
  if (linesEnd === text.length) return { beginning: text, rest: NOTHING_LEFT };
  return {
    beginning: text.slice(0, linesEnd),
    rest: { lines: text.slice(linesEnd + 1).split('\n').length, characters: 0 },
  };
}
