/** The beginning of an address in running text; `www.` as in Markdown. */
const BEGINNING = /(?<![A-Za-z0-9])(?:https?:\/\/|www\.)/gi;
const WORD = /[^\s<>"`]{1,4096}/y;
/** Characters that may follow an address without being part of it. */
const CLOSER = /[)\]}|\\'*_~.,;:!?\u201d\u2019\u00bb\u3001\u3002]/g;
/** Keeps a text made of such beginnings and closers from taking long. */
const MAX_TRIES = 5_000;

/**
 * Whether a text contains exactly this address, as a page would show it: parsed, entities decoded, without a sentence's
 * punctuation.
 */
export function addressStandsIn(text: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  if (url.startsWith('mailto:')) return mailStandsIn(text, url);
  const { href: wanted, host } = new URL(url);
  let tries = 0;
  for (const decoded of new Set([text, text.replaceAll('&amp;', '&')])) {
    for (const { 0: beginning, index } of decoded.matchAll(BEGINNING)) {
      WORD.lastIndex = index;
      const word = WORD.exec(decoded)?.[0] ?? '';
      // An internationalised host looks different there.
      if (/^[\x20-\x7e]*$/.test(word) && !word.toLowerCase().includes(host)) continue;
      const scheme = beginning.toLowerCase() === 'www.' ? 'http://' : '';
      const ends = [...word.matchAll(CLOSER)].map((closer) => closer.index);
      for (const end of [...ends, word.length]) {
        tries += 1;
        if (tries > MAX_TRIES) return false;
        const written = scheme + word.slice(0, end);
        if (URL.canParse(written) && new URL(written).href === wanted) return true;
      }
    }
  }
  return false;
}

const AROUND_MAIL = /[\p{L}\p{N}@_%+-]/u;

/** A link with a subject or text stands there as a link; without, the address alone is enough. */
function mailStandsIn(text: string, url: string): boolean {
  const link = url.toLowerCase();
  const plain = text.replaceAll('&amp;', '&').toLowerCase();
  const wanted = link.includes('?') ? link : link.slice('mailto:'.length);
  if (!/^[^,@]+@[^,@]+$/.test(wanted) && !link.includes('?')) return isWhole(plain, link);
  return wanted !== '' && isWhole(plain, wanted);
}

/** Whether this is a whole address, and not part of a longer one. */
function isWhole(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted), tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    const [before = '', after = ''] = [text[at - 1], text.slice(at + wanted.length, at + wanted.length + 2)];
    const goesOn = AROUND_MAIL.test(after[0] ?? '') || /^[.&?,][\p{L}\p{N}]/u.test(after);
    if (!goesOn && !AROUND_MAIL.test(before) && before !== '.') return true;
    at = text.indexOf(wanted, at + 1);
  }
  return false;
}
