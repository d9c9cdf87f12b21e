export interface Snippet {
  /** A few words around the first match, on one line, with `…` where the text was cut. */
  readonly text: string;
  /** Positions of the matches in `text`: `[start, end)` in UTF-16 units. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

const BEFORE_FIRST_MATCH = 60;
const LENGTH = 240;

/** Cuts the surroundings of the first match out of a text. `matches` are ordered and don't overlap. */
export function snippetOf(text: string, matches: readonly (readonly [number, number])[]): Snippet {
  const first = matches[0]?.[0] ?? 0;
  const start = atCharacterStart(text, first <= BEFORE_FIRST_MATCH ? 0 : first - BEFORE_FIRST_MATCH);
  const end = atCharacterStart(text, Math.min(text.length, start + LENGTH));
  const lead = start > 0 ? '…' : '';
  const shift = lead.length - start;
  return {
    // One space per white-space character preserves the positions of the matches.
    text: lead + text.slice(start, end).replace(/\s/g, ' ') + (end < text.length ? '…' : ''),
    matches: matches
      .filter((match) => match[0] < end)
      .map((match) => [match[0] + shift, Math.min(match[1], end) + shift] as const),
  };
}

/** The index never lies between the two halves of a character outside the basic plane. */
export function atCharacterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff && index > 0 ? index - 1 : index;
}
