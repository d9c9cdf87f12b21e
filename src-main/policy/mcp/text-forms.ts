import { encodedTextIn } from './encoded-text.ts';

const MAX_DECODINGS = 3;
/** How often a text may be inside another one as Base64. */
const MAX_ENCODINGS = 3;
const NAMED: Readonly<Record<string, string>> = {
  period: '.',
  colon: ':',
  sol: '/',
  commat: '@',
  amp: '&',
  middot: '·',
  centerdot: '·',
  shy: '',
};
/**
 * Matches `&period;`, and hosts that are written so that nobody follows them: `evil[.]example`, `evil (dot) example`,
 * `evil dot example`.
 */
const WRITTEN_OUT =
  /&(period|colon|sol|commat|amp|middot|centerdot|shy);| ?(?:\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}) ?|(?<=[\p{L}\p{N}]) dot (?=[\p{L}\p{N}])|\\\./giu;
/** Matches an escape character that is itself escaped any number of times: `%25252e`, `&amp;amp;#46;`, `\\\\u002e`. */
const ESCAPED_ESCAPES = /%(?:25)+(?=[\da-f]{2})|&(?:amp;)+(?=#|[a-z])|(?<!\\)\\{2,}(?=[ux.])/gi;
/**
 * Matches escaped characters: `\u002e`, `%u002e`, `\u{2e}`, `\x{2e}`, `\U0000002e`, `\x2e`, `&#x2e;`, `&#46;`. In octal
 * digits (`\056`) they are only what divides an address, because `notes\202.md` is a path.
 */
const ESCAPED =
  /[\\%]u([\da-fA-F]{4})|\\[ux]\{0{0,20}([\da-fA-F]{1,6})\}|\\U([\da-fA-F]{8})|\\x([\da-fA-F]{2})|&#[xX]0{0,20}([\da-fA-F]{1,6});?|&#0{0,20}(\d{1,7});?|\\0?(56|57|72|100)(?!\d)/g;
const CODE_BASES = [16, 16, 16, 16, 16, 10, 8];
/** Matches characters that nobody sees, and that a server may drop. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * Matches characters that look like a dot, so that a server may read them as one. The Japanese one is a dot unless it
 * stands between Japanese words, which it divides. Source: Unicode Technical Standard #39, confusables.txt.
 */
const LIKE_DOTS =
  /[·˙•‧∙⋅⸱⸳ꞏ𐄁ᐧ᛫܁܂꘎𐩐ꓸ٠۰۔𝅭]|(?<![\p{scx=Hira}\p{scx=Kana}\p{scx=Han}])[・･]|[・･](?![\p{scx=Hira}\p{scx=Kana}\p{scx=Han}])/gu;

/**
 * The text as it is written, and as whoever decodes it, or corrects its dots, would read it. What it contains as Base64
 * or hexadecimal digits is read likewise.
 */
export function formsOf(text: string): ReadonlySet<string> {
  const forms = new Set<string>();
  let inner = text;
  for (let encodings = 0; encodings <= MAX_ENCODINGS && inner !== ''; encodings++) {
    const plain = plainFormsOf(inner);
    for (const form of plain) forms.add(form);
    inner = [...new Set([...plain].map(encodedTextIn))].join('\n');
  }
  return forms;
}

function plainFormsOf(text: string): ReadonlySet<string> {
  const seen = text.replace(UNSEEN, '');
  // The URL standard drops tabs and line ends within an address.
  const forms = new Set([seen, seen.replace(/[\t\r\n]/g, '')]);
  let form = seen.replace(/\\[/]/g, '/').replace(ESCAPED_ESCAPES, (run) => run.charAt(0));
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
    form = form
      .replace(WRITTEN_OUT, (_, name: string | undefined) => NAMED[name?.toLowerCase() ?? 'period'] ?? '')
      .replace(ESCAPED, (_, ...codes: (string | undefined)[]) => unescaped(codes));
    forms.add(form);
    // In mails, an equals sign takes the place of the per cent sign.
    forms.add(form.replace(/=(?=[0-9A-F]{2})/g, '%').replace(/(?:%[0-9A-F]{2})+/g, decodedOnce));
    form = form.replace(/(?:%[0-9a-f]{2})+/gi, decodedOnce);
    forms.add(form);
  }
  for (const each of [...forms]) forms.add(each.normalize('NFKC').replace(UNSEEN, '').replace(LIKE_DOTS, '.'));
  return forms;
}

/** The character of an escape, one of whose `codes` is present. */
function unescaped(codes: readonly (string | undefined)[]): string {
  const at = codes.findIndex((code) => code !== undefined);
  const code = Number.parseInt(codes[at] ?? '', CODE_BASES[at]);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function decodedOnce(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
