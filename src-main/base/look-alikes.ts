import unhomoglyph from 'unhomoglyph';

/** No name that is compared is longer; what follows is not read either. */
const READ = 300;

/**
 * A name as one reads it at a glance: letters of other alphabets that look alike are the same, and so are upper and
 * lower case; accents, blanks, dashes and other separators don't count. Two forms, because a capital `I` looks like an
 * `l` and is an `i`. Source of the letters: Unicode Technical Standard #39, confusables.txt, in `unhomoglyph`.
 */
export function looksOf(name: string): readonly string[] {
  const read = name.slice(0, READ);
  const forms = [read, read.toLowerCase()].map((text) =>
    // Compatible letters only afterwards: a lunate sigma looks like a `c`, but is compatible with a sigma.
    unhomoglyph(withoutMarks(unhomoglyph(withoutMarks(text.normalize('NFD'))).normalize('NFKD')))
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return [...new Set(forms)].filter((form) => form !== '');
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}/gu, '');
}

/** Tells whether a name looks like one of some others. `names`: may change from call to call. */
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
