/** What begins an address in running text; `www.` as Markdown has it. */
const BEGINNING = /(?<![A-Za-z0-9])(?:https?:\/\/|www\.)/gi;
const WORD = /[^\s<>"`]{1,4096}/y;
/** May stand right behind an address without being a part of it. */
const CLOSER = /[)\]}|\\'*_~.,;:!?\u201d\u2019\u00bb\u3001\u3002]/g;
/** A text that is made of beginnings and closers must not keep anybody waiting. */
const MOST_TRIES = 5_000;

/** Whether exactly this address stands in a text, read as a page shows it: parsed, entities decoded, a sentence's punctuation left off. */
export function addressStandsIn(text: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { href: wanted, host } = new URL(url);
  let tries = 0;
  for (const decoded of new Set([text, text.replaceAll('&amp;', '&')])) {
    for (const { 0: beginning, index } of decoded.matchAll(BEGINNING)) {
      WORD.lastIndex = index;
      const word = WORD.exec(decoded)?.[0] ?? '';
      // A host in letters of its own looks different there.
      if (/^[\x20-\x7e]*$/.test(word) && !word.toLowerCase().includes(host)) continue;
      const scheme = beginning.toLowerCase() === 'www.' ? 'http://' : '';
      const ends = [...word.matchAll(CLOSER)].map((closer) => closer.index);
      for (const end of [...ends, word.length]) {
        tries += 1;
        if (tries > MOST_TRIES) return false;
        const written = scheme + word.slice(0, end);
        if (URL.canParse(written) && new URL(written).href === wanted) return true;
      }
    }
  }
  return false;
}
