import { firstCharacters } from '../../base/text.ts';
import { messageText } from '../conversations/message-text.ts';
import { openReadable, type ReadableDatabase } from '../database/connection.ts';
import { MESSAGES, TITLES } from './search-query.ts';
import { findPhrases, type Phrase, parseQuery, toMatchExpression } from './search-text.ts';
import { type Snippet, snippetOf } from './snippet.ts';

/** Matching messages that are counted, from the newest. */
const WALKED = 2_000;
/** Enough to mark what a user looks for; a text may have thousands of different spellings of a prefix. */
const MAX_SPELLINGS = 20;
const MAX_SPELLING_LENGTH = 200;

/** One conversation that a search found. */
export interface ConversationHit {
  readonly conversationId: string;
  readonly title: string;
  /** Positions in the title: `[start, end)` in UTF-16 units. */
  readonly titleMatches: Snippet['matches'];
  /** The newest message that matches, or null if only the title does. */
  readonly message: {
    readonly seq: number;
    readonly snippet: Snippet;
    /** What matches in its text, as it is written there. */
    readonly spellings: readonly string[];
  } | null;
  /** How many messages match, of the newest `WALKED` of all conversations. */
  readonly messages: number;
  /** ISO 8601, for people only. */
  readonly at: string;
}

export interface ConversationSearchRequest {
  readonly directory: string;
  readonly file: string;
  readonly query: string;
  readonly limit: number;
}

interface Found {
  readonly id: string;
  readonly title: string;
  readonly at: string;
  seq: number | null;
  messages: number;
}

/**
 * Each conversation once: those whose title matches (at most half), then by the newest message that matches. Opens the
 * database for this one search. Blocks: runs in a worker.
 */
export function searchConversations({ file, query, limit }: ConversationSearchRequest): ConversationHit[] {
  const phrases = parseQuery(query);
  const expression = toMatchExpression(phrases);
  if (expression === undefined || limit < 1) return [];
  const connection = openReadable(file);
  try {
    const found = new Map<string, Found>();
    const titles = connection
      .statement<{ id: string; title: string; at: string }>(`${TITLES} ORDER BY f.rowid DESC LIMIT ?2`)
      .all(expression, Math.ceil(limit / 2));
    for (const row of titles) found.set(row.id, { ...row, seq: null, messages: 0 });
    const messages = connection
      .statement<{ id: string; title: string; at: string; seq: number }>(
        `SELECT f.rowid AS seq, e.at, c.id, c.title ${MESSAGES} ORDER BY f.rowid DESC LIMIT ${WALKED}`,
      )
      .all(expression);
    for (const { seq, ...row } of messages) {
      const known = found.get(row.id) ?? { ...row, seq: null, messages: 0 };
      found.set(row.id, {
        ...known,
        at: known.seq === null ? row.at : known.at,
        seq: known.seq ?? seq,
        messages: known.messages + 1,
      });
    }
    return [...found.values()].slice(0, limit).map((each) => hitOf(connection, each, phrases));
  } finally {
    connection.close();
  }
}

function hitOf(
  connection: ReadableDatabase,
  { id, title, at, seq, messages }: Found,
  phrases: Phrase[],
): ConversationHit {
  const titleMatches = findPhrases(title, phrases);
  const message = seq === null ? null : messageHit(connection, seq, phrases);
  return { conversationId: id, title, titleMatches, message, messages, at };
}

function messageHit(connection: ReadableDatabase, seq: number, phrases: Phrase[]): ConversationHit['message'] {
  const row = connection
    .statement<{ body: string; conversation: number }>('SELECT body, conversation FROM events WHERE seq = ?')
    .get(seq);
  const text = (row && messageText(connection, { ...row, seq })) ?? '';
  const matches = findPhrases(text, phrases);
  const spellings = new Set<string>();
  for (const [start, end] of matches) {
    if (spellings.size === MAX_SPELLINGS) break;
    spellings.add(firstCharacters(text.slice(start, end), MAX_SPELLING_LENGTH));
  }
  return { seq, snippet: snippetOf(text, matches), spellings: [...spellings] };
}
