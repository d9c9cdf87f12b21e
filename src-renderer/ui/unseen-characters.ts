export interface TextPiece {
  readonly text: string;
  /** Stands for a character that would not be seen, or would move others, if it were shown as it is. */
  readonly isUnseen: boolean;
}

const STAND_IN = /⟨U\+[0-9A-F]{4,6}⟩|⇥ {3}/g;
/** Above this, a page of elements would be slow to draw; the stand-ins then look like the text around them. */
const MAX_PIECES = 4_000;
/**
 * Control characters, what reorders or breaks a line, and what is nothing to see. Joiners and variants stay: emoji and many
 * scripts are written with them. Main is stricter where a person has to decide (src-main/base/text.ts).
 */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Puts stand-ins in place of invisible and reordering characters, as main does in questions. Line ends and tabs stay. */
export function withStandIns(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Finds what was put in place of invisible and reordering characters, so that it can be told from written text. */
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
