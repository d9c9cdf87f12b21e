import { type JsonMistake, parseConfigText } from '../../settings/config-text.ts';

/**
 * JSON as documentation has it: with comments, elisions, other quotes, keys without quotes. Every repair keeps the
 * positions. Never throws.
 */
export function parseJsonText(written: string): { readonly value: unknown } | { readonly mistake: JsonMistake } {
  const isMember = /^\s*(?:["\u201c-\u201f][^"\u201c-\u201f\n]*["\u201c-\u201f]|[A-Za-z_$][\w$.-]*)\s*:/.test(written);
  const wrap = (text: string) => (isMember ? `{${text.replace(/,\s*$/, '')}}` : text);
  const first = parseConfigText(wrap(written));
  if ('value' in first) return first;
  for (const repaired of repairsOf(written)) {
    const parsed = parseConfigText(wrap(repaired));
    if ('value' in parsed) return parsed;
  }
  const { offset, reason } = first.mistake;
  return { mistake: { offset: Math.max(0, offset - (isMember ? 1 : 0)), reason } };
}

function* repairsOf(written: string): Generator<string> {
  const uncommented = blanked(written, /^[ \t]*#.*$|(?<=[,{[\]}"\d]|true|false)[ \t]+#(?!").*$/gm);
  const unelided = blanked(
    uncommented,
    /^[ \t]*(?:\.{3}|…),?[ \t]*(?:\/\/.*)?$|(?<=[,{[])[ \t]*(?:\.{3}|…)(?=[ \t]*[\]}])/gm,
  );
  yield unelided;
  const plain = plainQuotes(unelided);
  yield plain;
  yield quotedKeys(plain);
}

/** Blanks out what matches, so that the length stays the same. */
function blanked(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => match.replace(/[^\n]/g, ' '));
}

export function plainQuotes(text: string): string {
  return text
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033\u300c\u300d\uff02]/g, '"')
    .replace(/[\u2018-\u201b\u2032\uff07]/g, "'");
}

const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|(?<![\w$-])[A-Za-z_$][\w$-]*(?=\s*:)/g;

/**
 * Quotes keys that are written as in JavaScript. The length may change, because no position depends on it once the text
 * can be read.
 */
function quotedKeys(text: string): string {
  return text.replace(TOKEN, (token) => {
    if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1).replace(/\\'/g, "'").replace(/\\\\/g, '\\'));
    return /^["/]/.test(token) ? token : `"${token}"`;
  });
}
