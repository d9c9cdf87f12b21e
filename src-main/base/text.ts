/** At most `count` UTF-16 code units from the start; a surrogate pair is never split. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = text.charCodeAt(count - 1);
  const next = text.charCodeAt(count);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splitsPair ? count - 1 : count);
}

/** On no more than `most` UTF-16 code units: with `…` at its end where it was cut, and no character split. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${firstCharacters(text, most - 1)}…`;
}

/** Backticks that enclose a text in Markdown, so many `atLeast`: more than stand in any row in the text. */
export function backticksAround(text: string, atLeast: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

/** `85000` → `85,000`, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
