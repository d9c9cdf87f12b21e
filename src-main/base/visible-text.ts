/** Control, format, unassigned and private characters, lone surrogates, all blanks but the space, what shows as nothing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

/**
 * Makes every character that could hide, reorder or repaint text visible as its code point (a tab as an arrow), line ends too:
 * nothing of the kind reaches a terminal or a page as it is.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === '\t' ? '⇥   ' : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** The same, with lines kept apart. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
