/** A block shows twelve lines; more than this many are never needed for that. */
export const DRAWN_LINES = 12;
/** Longer than any line of twelve that fit into the sheet. */
const DRAWN_CHARACTERS = 6_000;

/** What is left behind a beginning: of lines, or of characters where a line does not end soon. */
export interface Rest {
  readonly lines: number;
  readonly characters: number;
}

export const NOTHING_LEFT: Rest = { lines: 0, characters: 0 };

/** The beginning of a text, and what is left of it. Whoever draws a megabyte for its first lines draws nothing in time. */
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
