/**
 * Characters that nobody sees: tags and selectors, which can spell a text; marks that reorder text; and blanks without
 * width, with which newsletters fill their previews. Emoji keep their selector, and joiners stay within words, where
 * some scripts need them.
 */
const UNSEEN =
  /(?![\ufe00-\ufe0f\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<![\p{L}\p{M}\p{Emoji}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Emoji}])|[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the text without what its reader can't see. Flags of regions (emoji made with tags) lose their tags. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}
