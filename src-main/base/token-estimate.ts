/** Conservative for English and code; CJK text is closer to 1.5, so whoever relies on it keeps a reserve. */
const CHARACTERS_PER_TOKEN = 3.5;

/** `characters` are UTF-16 units. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function charactersIn(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}
