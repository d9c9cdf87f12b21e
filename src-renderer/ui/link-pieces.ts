/** A part of a text; `url`: set if it is an address. */
export interface LinkPiece {
  readonly text: string;
  readonly url: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;
/** Belongs to the sentence, not to the address. */
const SENTENCE_END = /(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/;

/** Splits plain text into web addresses and the rest. All pieces together are the text. */
export function linkPieces(text: string): readonly LinkPiece[] {
  const pieces: LinkPiece[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(ADDRESS)) {
    const url = written.replace(SENTENCE_END, '');
    if (index > end) pieces.push({ text: text.slice(end, index), url: null });
    pieces.push({ text: url, url });
    end = index + url.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), url: null });
  return pieces;
}
