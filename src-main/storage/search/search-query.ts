import { messageText } from '../conversations/message-text.ts';
import { openReadable, type ReadableDatabase } from '../database/connection.ts';
import { findPhrases, type Phrase, parseQuery, toMatchExpression } from './search-text.ts';
import { type Snippet, snippetOf } from './snippet.ts';

export interface SearchHit {
  readonly conversationId: string;
  /** The title of the conversation. */
  readonly title: string;
  /** With `title`, the title matches. */
  readonly role: 'title' | 'user' | 'assistant';
  /** The event that contains the text; `null` for a title. */
  readonly seq: number | null;
  readonly snippet: Snippet;
  /** ISO 8601, for people only. */
  readonly at: string;
}

export interface SearchRequest {
  readonly directory: string;
  readonly file: string;
  readonly query: string;
  readonly limit: number;
  readonly conversationId: string | null;
}

/** CROSS JOIN: the index is walked from its newest entry and the walk ends at the limit, however many entries match. */
export const MESSAGES = `
  FROM message_index AS f CROSS JOIN events AS e ON e.seq = f.rowid CROSS JOIN conversations AS c ON c.num = e.conversation
  WHERE f.words MATCH ?1 AND c.deleted_at IS NULL`;
const IN_ONE_CONVERSATION = `
  AND f.rowid BETWEEN (SELECT min(seq) FROM events WHERE conversation = (SELECT num FROM conversations WHERE id = ?3))
    AND (SELECT max(seq) FROM events WHERE conversation = (SELECT num FROM conversations WHERE id = ?3))
  AND c.id = ?3`;
export const TITLES = `
  SELECT c.id, c.title, c.created_at AS at
  FROM title_index AS f CROSS JOIN conversations AS c ON c.num = f.rowid
  WHERE f.words MATCH ?1 AND c.deleted_at IS NULL`;

/**
 * Finds messages and titles, newest first, titles before messages and at most half of the hits. Opens the database for
 * this one search, so that nothing is held between searches. Blocks: runs in a worker.
 */
export function searchDatabase(request: SearchRequest): SearchHit[] {
  const phrases = parseQuery(request.query);
  const expression = toMatchExpression(phrases);
  if (expression === undefined || request.limit < 1) return [];
  const connection = openReadable(request.file);
  try {
    const titles = findTitles(connection, request, expression, phrases);
    return [...titles, ...findMessages(connection, request, expression, phrases, request.limit - titles.length)];
  } finally {
    connection.close();
  }
}

function findTitles(
  connection: ReadableDatabase,
  request: SearchRequest,
  expression: string,
  phrases: Phrase[],
): SearchHit[] {
  const limit = Math.ceil(request.limit / 2);
  const rows = connection
    .statement(
      `${TITLES} ${request.conversationId === null ? 'AND ?3 IS NULL' : 'AND c.id = ?3'} ORDER BY f.rowid DESC LIMIT ?2`,
    )
    .all(expression, limit, request.conversationId) as { id: string; title: string; at: string }[];
  return rows.map(({ id, title, at }) => ({
    conversationId: id,
    title,
    role: 'title',
    seq: null,
    at,
    snippet: snippetOf(title, findPhrases(title, phrases)),
  }));
}

function findMessages(
  connection: ReadableDatabase,
  request: SearchRequest,
  expression: string,
  phrases: Phrase[],
  limit: number,
): SearchHit[] {
  const rows = connection
    .statement(
      `SELECT f.rowid AS seq, e.type, e.body, e.at, e.conversation, c.id, c.title ${MESSAGES} ${request.conversationId === null ? 'AND ?3 IS NULL' : IN_ONE_CONVERSATION} ORDER BY f.rowid DESC LIMIT ?2`,
    )
    .all(expression, limit, request.conversationId) as {
    seq: number;
    type: string;
    body: string;
    at: string;
    conversation: number;
    id: string;
    title: string;
  }[];
  return rows.map((row) => {
    const text = messageText(connection, row) ?? '';
    return {
      conversationId: row.id,
      title: row.title,
      seq: row.seq,
      at: row.at,
      role: row.type === 'user_message' ? 'user' : 'assistant',
      snippet: snippetOf(text, findPhrases(text, phrases)),
    };
  });
}
