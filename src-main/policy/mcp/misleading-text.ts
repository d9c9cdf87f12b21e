import type { FindingKind } from '../../../src-preload/contract/tool-review.ts';
import { firstCharacters } from '../../base/text.ts';
import { addressIn, type IsPublicHost } from './mentioned-addresses.ts';
import { orderIn } from './orders-to-models.ts';
import { foldedText, hiddenIn } from './plain-text.ts';

/**
 * Something in a server's text that could mislead a model, so that a user has to look at it before it is accepted.
 * Findings are a convenience for readers, not the guard: what a tool may do is decided at each call. Every search is
 * linear in the text, which may be made to keep a slow one busy.
 */
export interface Finding {
  readonly kind: FindingKind;
  /** The words around the finding, in lower case and without what is not drawn. Empty for what is only long. */
  readonly excerpt: string;
}

export interface InspectedText {
  /** The text of the tool's description, or of the instructions. */
  readonly text: string;
  /** Names, descriptions, defaults and choices of its parameters, and its title. */
  readonly details: readonly string[];
  /** There are no more details than these. */
  readonly isWhole: boolean;
  readonly mayBeLong: number;
}

interface Surroundings {
  /** Names of tools that are not this server's. */
  readonly otherTools: ReadonlySet<string>;
  readonly isPublicHost: IsPublicHost;
}

/**
 * How much of a text is inspected, in UTF-16 units. Nobody reads a longer one to its end; what follows is not
 * inspected, and has to be opened.
 */
const INSPECTED = 20_000;
/** The limit is higher after folding, because one letter can stand for eighteen (U+FDFA). */
const MAX_FOLDED_LENGTH = 2 * INSPECTED;
/** The limit for all texts of one server together. */
const INSPECTED_OF_SERVER = 100_000;
/** From this length on, a parameter's text counts as long. */
const LONG_DETAIL = 1_500;
const LONG_DETAILS = 12_000;
const EXCERPT = 120;

/** The findings in each of a server's texts, in order. Each kind is reported once for a text. */
export function misleadingText(
  texts: readonly InspectedText[],
  surroundings: Surroundings,
): readonly (readonly Finding[])[] {
  let left = INSPECTED_OF_SERVER;
  return texts.map((each) => {
    const whole = [each.text, ...each.details].join('\n');
    const inspected = firstCharacters(whole, Math.min(INSPECTED, left));
    left -= inspected.length;
    const detailsLength = each.details.reduce((sum, { length }) => sum + length, 0);
    const isLong =
      !each.isWhole ||
      inspected.length < whole.length ||
      each.text.length > each.mayBeLong ||
      detailsLength > LONG_DETAILS ||
      each.details.some(({ length }) => length > LONG_DETAIL);
    return findingsIn(inspected, isLong, surroundings);
  });
}

function findingsIn(text: string, isLong: boolean, { otherTools, isPublicHost }: Surroundings): readonly Finding[] {
  const whole = foldedText(text);
  const folded = firstCharacters(whole, MAX_FOLDED_LENGTH);
  const found: readonly (readonly [FindingKind, string | undefined])[] = [
    ['hidden', hiddenIn(text)],
    ['orders', orderIn(folded)],
    ['other_tool', otherToolIn(folded, otherTools)],
    ['address', addressIn(folded, isPublicHost)],
    ['long', folded.length < whole.length || isLong ? '' : undefined],
  ];
  return found.flatMap(([kind, excerpt]) =>
    excerpt === undefined ? [] : [{ kind, excerpt: firstCharacters(excerpt, EXCERPT) }],
  );
}

/** Matches kinds of tools, such as `the shell tool` or `other tools`. The model would decide which one is meant. */
const KIND_OF_TOOL =
  /\b(?:(?:shell|bash|terminal|command(?:[ -]line)?|e?-?mail|gmail|browser|calendar|file[ -]?(?:system|reading|writing)) tools?|(?:any|every) other tools?|tools? of (?:an)?other servers?|other servers?' tools?)\b/;
const NAME = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu;
/** A name of one plain word (`edit`) is a word of the language unless it is written as a name. */
const IS_PLAIN = /^\p{L}+$/u;

function otherToolIn(text: string, otherTools: ReadonlySet<string>): string | undefined {
  const kind = KIND_OF_TOOL.exec(text);
  if (kind !== null) return kind[0];
  for (const { 0: name, index } of text.matchAll(NAME)) {
    if (!otherTools.has(name)) continue;
    const before = text.slice(Math.max(0, index - 6), index);
    const after = text.slice(index + name.length, index + name.length + 6);
    const isMeant = !IS_PLAIN.test(name) || /[`'"]$/.test(before) || /^[`'"]? tool/.test(after);
    if (isMeant) return name;
  }
  return undefined;
}
