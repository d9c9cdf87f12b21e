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
  return nonEmpty(inLatin(name).map((text) => withoutSigns(text, /[^\p{L}\p{N}]+/gu)));
}

function inLatin(name: string): readonly string[] {
  const shown = withoutFrame(name.slice(0, READ));
  return [shown, inLowerCase(shown)].map((text) =>
    // Compatible letters only afterwards: a lunate sigma looks like a `c`, but is compatible with a sigma.
    // In lower case once more: an `m` looks like `rn`, and an `M` doesn't.
    latin(latin(withoutMarks(latin(withoutMarks(text.normalize('NFD'))).normalize('NFKD'))).toLowerCase()),
  );
}

function withoutSigns(text: string, signs: RegExp): string {
  return text.replace(signs, '_').replace(/^_|_$/g, '');
}

function nonEmpty(forms: readonly string[]): readonly string[] {
  return [...new Set(forms)].filter((form) => form !== '');
}

/**
 * The forms of a name in which each character that isn't plain may look like any other, because no table knows all of
 * them: with the letters that the table knows as Latin ones, and without. None if most of it or of a word
 * (`read_файл`) would be such: that is read as another alphabet.
 */
function vagueLooksOf(name: string): readonly string[] {
  const asWritten = withoutFrame(name.slice(0, READ)).normalize('NFKD');
  const unread = (text: string) => withoutMarks(text).replace(/[^\p{ASCII}]|[!-,;-@[\]^`{}~]/gu, UNREAD);
  const forms = [...inLatin(name), ...inLatin(unread(asWritten))].map((text) =>
    withoutSigns(unread(text), /[^a-z0-9\0]+/g),
  );
  return nonEmpty(forms).filter((form) => {
    const vague = unreadIn(form);
    // Of a word of three, two may be vague.
    const isMostlyRead = vague * 2 <= form.length && form.split('_').every((w) => unreadIn(w) * 2 <= w.length + 1);
    return vague > 0 && isMostlyRead;
  });
}

/** Stands for a character that isn't plain. */
const UNREAD = '\0';
/** One character may look like two (`ʪ`), or be overlooked at the end of a name. */
const MOST_LETTERS = 2;

function unreadIn(text: string): number {
  return text.split(UNREAD).length - 1;
}

/** Whether a form of `vagueLooksOf` may look like this text. It takes no longer than both are long, however vague. */
function mayLookLike(form: string, text: string): boolean {
  let ends = new Set([0]);
  for (const character of form) {
    const next = new Set<number>();
    for (const end of ends) {
      if (character === UNREAD)
        for (let more = 0; more <= MOST_LETTERS; more++) next.add(Math.min(end + more, text.length));
      else if (text[end] === character) next.add(end + 1);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(text.length);
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
    const vague = vagueLooksOf(name);
    const isAlike = (form: string) => wanted.has(form) || vague.some((each) => mayLookLike(each, form));
    for (const each of names()) if (formsOf(each).some(isAlike)) return true;
    return false;
  };
}
