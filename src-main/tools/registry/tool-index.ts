import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { isRecord } from '../../base/json.ts';

/** Take a few milliseconds. */
const TOOLS_AT_A_TIME = 100;

/** What the index knows of a tool. */
export interface IndexedTool {
  /** In wire form: `tracker__create_issue`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Words that mean the same when one asks for a tool. The query is completed by them, at a lower weight: what a person calls `add`, a server calls
 * `create`.
 */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['create', 'add', 'new', 'make', 'open', 'insert', 'book', 'schedule'],
  ['delete', 'remove', 'rm', 'drop', 'destroy', 'erase'],
  ['update', 'edit', 'change', 'modify', 'set', 'rename', 'correct', 'adjust'],
  ['list', 'ls', 'all', 'browse'],
  ['get', 'fetch', 'read', 'retrieve', 'show', 'details', 'view'],
  ['search', 'find', 'query', 'look', 'lookup'],
  ['send', 'post', 'write', 'submit'],
  ['cancel', 'stop', 'abort', 'end', 'terminate', 'unsubscribe'],
  ['start', 'run', 'launch', 'execute', 'trigger', 'play'],
  ['restart', 'reboot'],
  ['move', 'transition', 'reschedule'],
  ['copy', 'duplicate', 'clone'],
  ['assign', 'responsible', 'owner', 'assignee'],
  ['append', 'add'],
  ['mute', 'silence'],
  ['mail', 'email'],
  ['message', 'text', 'dm'],
  ['issue', 'ticket', 'bug'],
  ['folder', 'directory'],
  ['photo', 'picture', 'image'],
  ['meeting', 'event', 'appointment'],
  ['customer', 'client'],
  ['person', 'people', 'user', 'member', 'colleague', 'employee'],
  ['vacation', 'holiday', 'leave', 'absence'],
  ['price', 'cost', 'spend', 'spent', 'expense'],
  ['now', 'current', 'today'],
];
const SYNONYM_WEIGHT = 0.35;

/** Words that say nothing about a tool. */
const STOP_WORDS = new Set(
  'a an and are as at be by can could do does for from have how i if in into is it its me my need of on onto or our please so some that the their them then there this to us want was we what when where which who with would you your'.split(
    ' ',
  ),
);

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** `createIssue`, `HTTPServer`, `v2Search`. */
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const MARKS = /\p{M}+/gu;

/**
 * Full-text search over tools (BM25): the words of their names, of their descriptions, and of the names of their parameters. `create_issue` and
 * `createIssue` are two words; words are compared by their stems, and the beginning of a word finds it too. Source: tool catalogue A.10.
 */
export class ToolIndex {
  readonly #search = new MiniSearch<Entry>({
    fields: ['name', 'description', 'parameters'],
    idField: 'name',
    tokenize: wordsOf,
    processTerm: stemOf,
    searchOptions: {
      boost: { name: 3, description: 1, parameters: 0.6 },
      combineWith: 'OR',
      prefix: (term) => term.length >= 3,
      weights: { prefix: 0.5, fuzzy: 0 },
    },
  });

  readonly #names: readonly string[];

  private constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** In steps, so that a long list does not hold up the window. */
  static async of(tools: readonly IndexedTool[]): Promise<ToolIndex> {
    const index = new ToolIndex(tools.map(({ name }) => name));
    const entries = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: parameterNames(inputSchema).join(' '),
    }));
    await index.#search.addAllAsync(entries, { chunkSize: TOOLS_AT_A_TIME });
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
    const asked = [...new Set(wordsOf(query).flatMap((word) => stemOf(word) ?? []))];
    if (asked.length === 0) return [];
    const meant = asked.flatMap((stem) => SYNONYMS.get(stem) ?? []);
    const terms = [...new Set([...asked, ...meant])];
    const hits = this.#search.search(terms.join(' '), {
      // The terms are stems already.
      processTerm: (term) => term,
      boostTerm: (term) => (asked.includes(term) ? 1 : SYNONYM_WEIGHT),
    });
    return hits
      .map(({ id, score, queryTerms }) => ({ name: String(id), score: score * coverage(asked, queryTerms) }))
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name);
  }
}

/** The part of the query that a tool answers to, itself or by a word of the same meaning. */
function coverage(asked: readonly string[], matched: readonly string[]): number {
  const isMatched = (stem: string) =>
    matched.includes(stem) || SYNONYMS.get(stem)?.some((other) => matched.includes(other));
  return asked.filter(isMatched).length / asked.length;
}

interface Entry {
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
}

/** In the order of the text; not stems yet. */
function wordsOf(text: string): string[] {
  return (text.match(WORDS) ?? []).flatMap((word) => (UNSPACED.test(word) ? segments(word) : word.split(HUMPS)));
}

function segments(text: string): string[] {
  const found = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return [...found].map(({ segment }) => segment);
}

/** `null`: the word says nothing. */
function stemOf(word: string): string | null {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const plain = word.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const stem = plain === '' || STOP_WORDS.has(plain) ? null : stemmer(plain);
  if (stems.size < MOST_STEMS) stems.set(word, stem);
  return stem;
}

/** Tools share most of their words. */
const stems = new Map<string, string | null>();
const MOST_STEMS = 20_000;

function parameterNames(schema: IndexedTool['inputSchema']): readonly string[] {
  return isRecord(schema.properties) ? Object.keys(schema.properties) : [];
}

const SYNONYMS: ReadonlyMap<string, readonly string[]> = synonyms();

function synonyms(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const group of SAME_MEANING) {
    const stems = group.flatMap((word) => stemOf(word) ?? []);
    for (const stem of stems) all.set(stem, [...(all.get(stem) ?? []), ...stems.filter((other) => other !== stem)]);
  }
  return all;
}
