import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { isRecord } from '../../base/json.ts';
import { firstCharacters } from '../../base/text.ts';
import { firstSentence } from './first-sentence.ts';
import { FAMILIES, HINTS, PHRASES, QUESTION_WORDS, READING, STOP_WORDS, VERBS } from './tool-vocabulary.ts';

/** This many tools take a few milliseconds. */
const TOOLS_AT_A_TIME = 100;
/** Characters of a description that are indexed. What follows is mostly advice, with words of other tools in it. */
const DESCRIPTION_CHARACTERS = 1_500;
/** Characters of a parameter's description that are indexed. */
const PARAMETER_CHARACTERS = 300;
/** Weights of the words that were asked for, of related words, and of what they hint at. */
const WEIGHTS = { asked: 1, meant: 0.65, hinted: 0.25 } as const;

/** What the index knows of a tool. */
export interface IndexedTool {
  /** The name in wire form: `tracker__create_issue`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** The places where words begin in `createIssue`, `HTTPServer`, `v2Search`. */
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const COMPOUNDS = /(?<![\p{L}-])(?:\p{L}{1,2}-\p{L}+|\p{L}+-\p{L}{1,2})(?![\p{L}-])/gu;
/** These scripts are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const MARKS = /\p{M}+/gu;

/**
 * Full-text search over tools (BM25): the words of their names, of their servers' names, of their descriptions, and of
 * the names, values and descriptions of their parameters. `create_issue` and `createIssue` are two words; words are
 * compared by their stems, and the beginning of a word finds it too. Source: tool catalogue A.10.
 */
export class ToolIndex {
  readonly #search = new MiniSearch<Entry>({
    fields: ['tool', 'server', 'summary', 'details', 'parameters', 'values'],
    idField: 'name',
    tokenize: wordsOf,
    processTerm: stemOf,
    searchOptions: {
      boost: { tool: 3, server: 1.5, summary: 1.2, details: 0.5, parameters: 0.6, values: 0.5 },
      combineWith: 'OR',
      prefix: (term) => term.length >= 4,
      weights: { prefix: 0.4, fuzzy: 0 },
    },
  });

  readonly #names: readonly string[];
  /** What a tool does, if its name says so. */
  readonly #verbs: ReadonlyMap<string, string | undefined>;

  private constructor(names: readonly string[]) {
    this.#names = names;
    this.#verbs = new Map(names.map((name) => [name, verbOf(wordsOf(ownName(name)))]));
  }

  /** Makes the index in steps, so that a long list does not hold up the window. */
  static async of(tools: readonly IndexedTool[]): Promise<ToolIndex> {
    const index = new ToolIndex(tools.map(({ name }) => name));
    await index.#search.addAllAsync(tools.map(entryOf), { chunkSize: TOOLS_AT_A_TIME });
    return index;
  }

  /** The names of at most `count` tools, best first. */
  search(query: string, count: number): readonly string[] {
    const named = this.#named(query);
    const found = this.#ranked(query).filter((name) => !named.includes(name));
    return [...named, ...found].slice(0, count);
  }

  /** A query may be a name, with the server's or without it. */
  #named(query: string): readonly string[] {
    const asked = query.trim().toLowerCase();
    const isNamed = (name: string) => name === asked || name.endsWith(`__${asked}`);
    return asked === '' ? [] : this.#names.filter((name) => isNamed(name.toLowerCase()));
  }

  #ranked(query: string): readonly string[] {
    const words = wordsOf(query);
    const { phrases, rest } = withoutPhrases(query);
    const asked = [...phrases, ...[...new Set(stemsOf(wordsOf(rest)))].map((stem) => [stem])];
    if (asked.length === 0) return [];
    const wanted = isQuestion(words) ? 'read' : verbOf(words.slice(0, FIRST_WORDS));
    const weights = weightsOf(asked, wanted === 'read');
    const hits = this.#search.search([...weights.keys()].join(' '), {
      tokenize: (text) => text.split(' '),
      // The terms are stems already.
      processTerm: (term) => term,
      boostTerm: (term) => weights.get(term) ?? 0,
    });
    const matchedBy = hits.map(({ queryTerms }) => new Set(queryTerms));
    const rarity = asked.map((stems) => {
      const meant = stems.flatMap((stem) => [stem, ...(FAMILY.get(stem) ?? [])]);
      return {
        meant,
        weight: rarityOf(
          matchedBy.filter((matched) => meant.some((term) => matched.has(term))).length,
          this.#names.length,
        ),
      };
    });
    return hits
      .map(({ id, score }, index) => {
        const name = String(id);
        const fit = coverage(rarity, matchedBy[index]) * agreement(wanted, this.#verbs.get(name));
        return { name, score: score * fit };
      })
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name);
  }
}

/** Nothing tells tools apart by a word that none of them has. */
function rarityOf(tools: number, all: number): number {
  return tools === 0 ? 0 : Math.log(1 + all / tools);
}

interface AskedWord {
  /** The word and its family. */
  readonly meant: readonly string[];
  readonly weight: number;
}

/** The part of the query that a tool answers to, itself or by a word of the same meaning; rare words count more. */
function coverage(asked: readonly AskedWord[], matched: ReadonlySet<string> = new Set()): number {
  const sum = (words: readonly AskedWord[]) => words.reduce((total, { weight }) => total + weight, 0);
  const all = sum(asked);
  return all === 0 ? 1 : sum(asked.filter(({ meant }) => meant.some((term) => matched.has(term)))) / all;
}

/** Each term of the search, and how much it counts. */
function weightsOf(asked: readonly (readonly string[])[], isReading: boolean): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) if ((weights.get(term) ?? 0) < weight) weights.set(term, weight);
  };
  add(asked.flat(), WEIGHTS.asked);
  for (const stem of asked.flat()) {
    add(FAMILY.get(stem) ?? [], WEIGHTS.meant);
    add(HINTED.get(stem) ?? [], WEIGHTS.hinted);
  }
  if (isReading) add(stemsOf(READING), WEIGHTS.hinted);
  return weights;
}

/** The stems that turns of phrase stand for, and the query without them. */
function withoutPhrases(query: string): { readonly phrases: readonly (readonly string[])[]; readonly rest: string } {
  let rest = query;
  const phrases = PHRASES.flatMap(([phrase, meant]) => {
    const before = rest;
    rest = rest.replace(phrase, ' ');
    return rest === before ? [] : [stemsOf(meant)];
  });
  return { phrases, rest };
}

function isQuestion([first = '']: readonly string[]): boolean {
  return QUESTION_WORDS.has(first.toLowerCase());
}

/** How much it counts whether the verbs agree. */
const SAME_VERB = 1.25;
const OTHER_VERB = 0.75;
/** The verb of a query is among its first words. */
const FIRST_WORDS = 3;

function agreement(wanted: string | undefined, does: string | undefined): number {
  if (wanted === undefined || does === undefined) return 1;
  return wanted === does ? SAME_VERB : OTHER_VERB;
}

/** The kind of the first verb. */
function verbOf(words: readonly string[]): string | undefined {
  for (const stem of stemsOf(words)) {
    const kind = KIND_OF_VERB.get(stem);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** The name of the tool without the server's. */
function ownName(name: string): string {
  const at = name.indexOf('__');
  return at === -1 ? name : name.slice(at + 2);
}

interface Entry {
  readonly name: string;
  readonly tool: string;
  readonly server: string;
  /** The first sentence of the description, and the rest of it. */
  readonly summary: string;
  readonly details: string;
  readonly parameters: string;
  /** What parameters are said to be, and can be. */
  readonly values: string;
}

function entryOf({ name, description, inputSchema }: IndexedTool): Entry {
  const at = name.indexOf('__');
  const summary = firstSentence(description);
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  return {
    name,
    tool: ownName(name),
    server: at === -1 ? '' : name.slice(0, at),
    summary,
    details: description.slice(summary.length, DESCRIPTION_CHARACTERS),
    parameters: Object.keys(properties).join(' '),
    values: Object.values(properties).map(valuesOf).join(' '),
  };
}

function valuesOf(property: unknown): string {
  if (!isRecord(property)) return '';
  const { description, enum: values } = property;
  const said = typeof description === 'string' ? firstCharacters(description, PARAMETER_CHARACTERS) : '';
  const named = Array.isArray(values) ? values.filter((value) => typeof value === 'string').join(' ') : '';
  return `${said} ${firstCharacters(named, PARAMETER_CHARACTERS)}`;
}

/**
 * The words in the order of the text, which are not stems yet. A word of several parts, one of them short, is also one
 * word: e-mail, to-do, wi-fi.
 */
function wordsOf(text: string): string[] {
  const compounds = (text.match(COMPOUNDS) ?? []).map((word) => word.replaceAll('-', ''));
  const words = (text.match(WORDS) ?? []).flatMap((word) => (UNSPACED.test(word) ? segments(word) : word.split(HUMPS)));
  return compounds.length === 0 ? words : [...words, ...compounds];
}

function segments(text: string): string[] {
  const found = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return [...found].map(({ segment }) => segment);
}

/** Null if the word says nothing. */
function stemOf(word: string): string | null {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const plain = word.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const stem = plain === '' || STOP_WORDS.has(plain) ? null : stemmer(plain);
  if (stems.size < MAX_STEMS) stems.set(word, stem);
  return stem;
}

/** Stems are kept, because tools share most of their words. */
const stems = new Map<string, string | null>();
const MAX_STEMS = 20_000;

function stemsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => stemOf(word) ?? []);
}

/** Stem of a verb → what it does. */
const KIND_OF_VERB: ReadonlyMap<string, string> = new Map(
  Object.entries(VERBS).flatMap(([kind, verbs]) => stemsOf(verbs).map((stem) => [stem, kind] as const)),
);
/** For each stem, the others of its families. */
const FAMILY: ReadonlyMap<string, readonly string[]> = families();
/** For each stem, what it hints at. */
const HINTED: ReadonlyMap<string, readonly string[]> = hints();

function families(): Map<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const family of FAMILIES) {
    const stems = stemsOf(family);
    for (const stem of stems) all.set(stem, [...(all.get(stem) ?? []), ...stems.filter((other) => other !== stem)]);
  }
  return all;
}

function hints(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [words, hinted] of HINTS)
    for (const stem of stemsOf(words)) all.set(stem, [...(all.get(stem) ?? []), ...stemsOf(hinted)]);
  return all;
}
