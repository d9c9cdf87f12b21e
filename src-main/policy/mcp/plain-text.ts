import { ownValue } from '../../base/json.ts';

/** Emoji are written with characters that are invisible by themselves. */
const EMOJI =
  /[\p{Extended_Pictographic}#*0-9]\u{fe0f}?\u{20e3}?(?:\u{200d}\p{Extended_Pictographic}\u{fe0f}?){0,8}|\p{Regional_Indicator}{2}/gu;
const LAYOUT = /[\n\r\t]/g;
/** Matches whatever is not drawn, or reorders what is. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/u;
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const AROUND = 30;

/** The text around the first hidden or reordering character. */
export function hiddenIn(text: string): string | undefined {
  const drawn = text.replace(EMOJI, (emoji) => '.'.repeat(emoji.length)).replace(LAYOUT, ' ');
  const at = drawn.search(HIDDEN);
  return at === -1 ? undefined : text.slice(Math.max(0, at - AROUND), at + AROUND);
}

/** Letters of other alphabets, with the Latin ones that they look like. */
const ALIKE: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  һ: 'h',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  ո: 'n',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'i',
  ɡ: 'g',
  ℓ: 'l',
};

/**
 * The text as one reads it: without what is not drawn, in lower case, in one line, with letters that look alike made
 * the same.
 */
export function foldedText(text: string): string {
  return text
    .replace(IGNORED, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => ownValue(ALIKE, letter) ?? letter)
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ');
}
