/** At most `count` UTF-16 code units from the start; a surrogate pair is never split. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = text.charCodeAt(count - 1);
  const next = text.charCodeAt(count);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splitsPair ? count - 1 : count);
}

/** Cut to at most `most` UTF-16 code units, with `…` at the end if it was cut; no character is split. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${firstCharacters(text, most - 1)}…`;
}

/** Made when it is first needed: loading its rules takes longer than a hundred modules. */
let segmenter: Intl.Segmenter | undefined;

/** The sentences of an English text, each with the space behind it. */
export function sentencesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  return segmenter.segment(text);
}

/** A cut keeps at least this share of the room: it does not go back further for the end of a sentence. */
const LEAST_KEPT = 0.5;

/** Shortens like `shortened`, but ends with a whole sentence, or else with a whole word. */
export function shortenedAtSentence(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = firstCharacters(text, most - 1);
  const isLate = (end: number) => end >= most * LEAST_KEPT;
  const ends = [...sentencesOf(room)].map(({ segment, index }) => index + segment.trimEnd().length);
  // The last sentence continues after the cut, so its end does not count. The blank needs room too.
  const sentence = ends.slice(0, -1).findLast((end) => end < room.length && isLate(end));
  if (sentence !== undefined) return `${text.slice(0, sentence)} …`;
  const word = /\s/.test(text[room.length] ?? '') ? room.length : room.search(/(?<!\s)\s+\S*$/);
  return `${isLate(word) ? room.slice(0, word).trimEnd() : room}…`;
}

/** The backticks that enclose a text in Markdown: more than the longest run in it, and `atLeast` this many. */
export function backticksAround(text: string, atLeast: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

/** Groups digits whatever the locale: `85,000`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Control, format, unassigned and private characters, lone surrogates, every blank except the space, and invisible
 * characters.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/**
 * Shows every character that could hide, reorder or repaint text as its code point (a tab as an arrow), line ends
 * included, so that none of them reaches a terminal or a page.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === '\t' ? '⇥   ' : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Makes the text visible in the same way, but keeps line ends. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]/;

/** A path in a list with one to a line: a name may contain line breaks, and is then written as a JSON string. */
export function pathOnOneLine(path: string): string {
  if (!LINE_BREAKS.test(path)) return path;
  return JSON.stringify(path).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The same text in memory of its own. V8 keeps the whole of a text for as long as a part that was cut out of it is in
 * use.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The words of a list that is written as one text, with white space between them. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
