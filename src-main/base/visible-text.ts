import { grouped } from './text.ts';

/**
 * Control, format, unassigned and private characters, lone surrogates, all blanks but the space, what shows as nothing; one, or
 * a run of the same. Runs have a limit: without one the engine needs stack for each character.
 */
const UNSEEN =
  /([\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000])(\1{15,4095})?/gu;

/**
 * Makes every character that could hide, reorder or repaint text visible as its code point (a tab as an arrow), line ends too:
 * nothing of the kind reaches a terminal or a page as it is. Of a long run of one it says how many there are.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (_, character: string, more: string = '') => {
    const shown = character === '\t' ? '⇥   ' : `⟨U+${hexadecimal(character)}⟩`;
    return more === '' ? shown : `${shown}×${grouped(1 + more.length / character.length)}`;
  });
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** The same, with lines kept apart. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
