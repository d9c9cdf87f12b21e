import { decodeHTMLStrict } from 'entities/decode';
import type { AnyToken } from './tokens.ts';

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/**
 * The direction of a list, a quote or a table, from its first letter outside code, or undefined if there is no such
 * letter. `dir="auto"` would skip nested elements that have their own `dir`.
 */
export function directionOf(token: AnyToken): 'ltr' | 'rtl' | undefined {
  const letter = firstLetter(token);
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

function firstLetter(token: AnyToken): string | undefined {
  switch (token.type) {
    case 'code':
    case 'codespan':
    case 'math':
    case 'math_block':
    case 'html':
    case 'image':
      return undefined;
    case 'list':
      return firstOf(token.items.flatMap(({ tokens }) => tokens));
    case 'table':
      return firstOf([token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens));
    default:
      if ('tokens' in token && token.tokens !== undefined) return firstOf(token.tokens);
      return 'text' in token ? LETTER.exec(decodeHTMLStrict(token.text))?.[0] : undefined;
  }
}

function firstOf(tokens: readonly unknown[]): string | undefined {
  for (const token of tokens as readonly AnyToken[]) {
    const letter = firstLetter(token);
    if (letter !== undefined) return letter;
  }
  return undefined;
}
