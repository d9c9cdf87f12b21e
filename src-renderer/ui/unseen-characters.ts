export interface TextPiece {
  readonly text: string;
  /** Stand-in for a character that would be invisible or would reorder others. */
  readonly isUnseen: boolean;
}

const STAND_IN = /⟨U\+[0-9A-F]{4,6}⟩|⇥ {3}/g;
/** Above this, a page of elements would be slow to draw; the stand-ins then look like the text around them. */
const MAX_PIECES = 4_000;
/**
 * Control characters, bidi and line-breaking characters, and invisible characters. Joiners and variation selectors
 * stay, because emoji and many scripts need them. Main is stricter where a user has to decide (src-main/base/text.ts).
 */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Puts stand-ins in place of invisible and reordering characters, as main does in questions. Line ends and tabs stay.
 */
export function withStandIns(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Finds the stand-ins for invisible and reordering characters, so that they can be marked as such. */
export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(STAND_IN)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isUnseen: false });
    pieces.push({ text: match[0], isUnseen: true });
    end = match.index + match[0].length;
    if (pieces.length > MAX_PIECES) return [{ text, isUnseen: false }];
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isUnseen: false });
  return pieces;
}
