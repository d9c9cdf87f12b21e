import { ownValue } from '../../base/json.ts';

/** Characters that nobody sees: copied along from web pages, or put there to hide or reorder what is read. */
const HIDDEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|(?<=[\x21-\x7e])[\u200c\u200d](?=[\x21-\x7e])/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  '#34': '"',
  '#x22': '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  lt: '<',
  '#60': '<',
  gt: '>',
  '#62': '>',
  amp: '&',
  '#38': '&',
  nbsp: ' ',
  '#160': ' ',
  '#123': '{',
  '#125': '}',
  '#x7b': '{',
  '#x7d': '}',
};

export interface CleanText {
  /** It has the same lines as the original. */
  readonly text: string;
  /**
   * Lines, 0-based, from which characters were taken that may have hidden something. A file's byte order mark hides
   * nothing.
   */
  readonly hidden: ReadonlySet<number>;
}

/** Leaves out what copying from web pages and mails adds. */
export function cleanText(written: string): CleanText {
  const unmarked = written.replace(/^\ufeff/, '').replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n');
  const shown = unmarked.replace(HIDDEN, '');
  const blanks = shown.replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
  const text = unquoted(withoutTags(blanks)).replace(
    /&(#?\w{1,6});/g,
    (entity, name: string) => ownValue(ENTITIES, name.toLowerCase()) ?? entity,
  );
  return { text, hidden: shown === unmarked ? new Set() : linesWithHidden(unmarked) };
}

function linesWithHidden(text: string): ReadonlySet<number> {
  // A pattern that remembers where it was would skip lines.
  return new Set(text.split('\n').flatMap((line, index) => (line.search(HIDDEN) < 0 ? [] : [index])));
}

/** Removes the `> ` before every line, with which mails and Markdown quote. */
function unquoted(text: string): string {
  const lines = text.split('\n');
  const isQuoted =
    lines.every((line) => line.trim() === '' || QUOTE.test(line)) && lines.some((line) => QUOTE.test(line));
  if (!isQuoted && !/^\s{0,3}>\s*[{["]/.test(text)) return text;
  // A quote may be quoted.
  return lines.map((line) => line.replace(QUOTES, '')).join('\n');
}

const QUOTE = /^\s{0,3}>/;
const QUOTES = /^\s{0,3}(?:> ?){1,5}/;

/** A page's code as HTML; line ends stay where they are. */
function withoutTags(text: string): string {
  if (!/<(?:pre|code)\b/i.test(text)) return text;
  return text.replace(/<\/?(?:pre|code|span|div|p|li|td|tr)\b[^<>\n]{0,500}>/gi, (tag) =>
    /^<pre|^<\/pre/i.test(tag) ? '`'.repeat(3) : '',
  );
}
