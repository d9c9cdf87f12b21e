/**
 * Splits the arguments of a command that is started without a shell. Blanks separate words. Double and single quotes
 * group, also inside a word (`--x="a b"` is one word). `\"` inside double quotes is a quote, and every other backslash
 * is itself, so that Windows paths stay whole. Throws if a quote is not closed. Source: tool catalogue B.2,
 * run_command.
 */
export function splitCommandWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && character === '\\' && text.charAt(at + 1) === '"') {
        word += '"';
        at += 1;
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/[ \t\n\r\f\v]/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined)
    throw new Error(`a ${quote === '"' ? 'double' : 'single'} quote is not closed in the arguments`);
  if (word !== undefined) words.push(word);
  return words;
}
