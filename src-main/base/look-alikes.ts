import { CONFUSABLES, VARIANTS } from './confusables.ts';

/** No name that is compared is longer; what follows is not read either. */
const READ = 300;

/**
 * A name as one reads it at a glance: letters of other alphabets that look alike are the same, and so are upper and
 * lower case; accents don't count, and a blank, a dash and any other separator are the same: `getSelection` reads
 * differently from `get_selection`, but `get selection` doesn't. Two forms, because a capital `I` looks like an
 * `l` and is an `i`.
 */
export function looksOf(name: string): readonly string[] {
  const read = name.slice(0, READ);
  const shown = withoutFrame(read);
  const forms = [shown, inLowerCase(shown)].map((text) =>
    // Compatible letters only afterwards: a lunate sigma looks like a `c`, but is compatible with a sigma.
    // In lower case once more: an `m` looks like `rn`, and an `M` doesn't.
    latin(latin(withoutMarks(latin(withoutMarks(text.normalize('NFD'))).normalize('NFKD'))).toLowerCase())
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, ''),
  );
  return [...new Set(forms)].filter((form) => form !== '');
}

const LATIN: ReadonlyMap<string, string> = new Map(
  [...Object.entries(VARIANTS), ...Object.entries(CONFUSABLES)].flatMap(([like, characters]) =>
    [...characters].map((each) => [each, like] as const),
  ),
);

/** A text without accents, and with the Latin letter in place of each that looks like one. */
export function asciiLookOf(text: string): string {
  return [...withoutMarks(text.normalize('NFD'))]
    .map((character) => (character < '\x80' ? character : latin(character)))
    .join('')
    .toLowerCase();
}

function latin(text: string): string {
  return [...text].map((character) => LATIN.get(character) ?? character).join('');
}

/** A capital `𝐈` or `ℐ` has no lower case of its own. */
function inLowerCase(text: string): string {
  const plain = (letter: string) => (/^[A-Z]$/.test(letter.normalize('NFKC')) ? letter.normalize('NFKC') : letter);
  return [...text].map((letter) => plain(letter).toLowerCase()).join('');
}

/** White letters on a circle or square, which Unicode makes compatible with nothing. */
function withoutFrame(text: string): string {
  return text.replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, (letter) =>
    String.fromCharCode(0x41 + (((letter.codePointAt(0) ?? 0) - 0x1f150) % 0x20)),
  );
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}/gu, '');
}

/** Tells whether a name looks like one of some others. `names` may change from call to call. */
export function lookAlikesOf(names: () => Iterable<string>): (name: string) => boolean {
  const known = new Map<string, readonly string[]>();
  const formsOf = (name: string) => {
    const forms = known.get(name) ?? looksOf(name);
    known.set(name, forms);
    return forms;
  };
  return (name) => {
    const wanted = new Set(looksOf(name));
    for (const each of names()) if (formsOf(each).some((form) => wanted.has(form))) return true;
    return false;
  };
}
