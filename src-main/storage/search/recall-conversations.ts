import type { Mark } from '../../../src-preload/contract/events.ts';
import { messageText } from '../conversations/message-text.ts';
import { parseEvent } from '../conversations/parse-event.ts';
import type { ReadableDatabase } from '../database/connection.ts';
import { passageOf } from './passage.ts';
import { lookupsFor, type WeighedTerm, weighTerms } from './recall-index.ts';
import type { Found } from './recall-memories.ts';
import { fitOf, read } from './relevance.ts';

/**
 * At least this many messages are examined closely, and more if more results are requested. It is also the most for one
 * conversation.
 */
const MESSAGES = 30;
const MESSAGES_OF_ONE = 3;
/** This many matching messages are walked in order to find that many different conversations. */
const WALKED = 120;
const TITLES = 20;
const PASSAGE_LENGTH = 600;
/** Matches the title of a conversation that began with the line of a tool. */
const COMMAND_TITLE = /^\/[a-z]\w*(?:\s*\{|\s*$)/i;
/** Maximum number of marks of a hit: even a single one means that reading it is reading text from outside. */
const MAX_MARKS = 20;

interface MessageRow {
  readonly seq: number;
  readonly conversation: number;
  readonly type: string;
  readonly at: string;
  readonly body: string;
}

/**
 * Conversations that contain words of the question, with the matching passages; one entry each. Deleted ones and the
 * one with the id `exceptConversation` are left out.
 */
export function recallConversations(
  connection: ReadableDatabase,
  { exceptConversation, limit }: { readonly exceptConversation: string | null; readonly limit: number },
  asked: readonly string[][],
): Found[] {
  const { highest } = connection.statement('SELECT max(seq) AS highest FROM events').get() as {
    highest: number | null;
  };
  if (highest === null) return [];
  const terms = weighTerms(connection, 'message_index', asked, highest);
  const messagesAt = connection.statement<MessageRow>(
    'SELECT seq, conversation, type, at, body FROM events WHERE seq IN (SELECT value FROM json_each(?))',
  );
  const found = candidates(connection, { except: exceptConversation, count: Math.max(MESSAGES, 2 * limit), terms });
  return [...found].flatMap(([num, { title, createdAt, seqs }]) => {
    const rows = seqs.length > 0 ? messagesAt.all(JSON.stringify(seqs)) : firstMessage(connection, num);
    const messages = rows
      .filter(({ body }) => !isToldToApp(body))
      .map((row) => ({ row, text: messageText(connection, row) ?? '' }));
    if (seqs.length > 0 && messages.length === 0) return [];
    const passages = messages.map(({ text }) => passageOf(text, terms, PASSAGE_LENGTH));
    const said = messages.map(({ row }, index) => `${speakerOf(row.type)}: ${passages[index]?.text}`);
    const at = messages.at(-1)?.row.at ?? createdAt;
    return {
      text: [`Conversation: ${title} (${at.slice(0, 10)})`, ...said].join('\n'),
      fit: fitOf([...(COMMAND_TITLE.test(title) ? [] : [read(title, terms)]), ...passages], terms),
      // A damaged row can contain anything.
      atMs: Date.parse(at) || 0,
      marks: () => untrustedMarksOf(connection, num),
    };
  });
}

interface Candidate {
  readonly title: string;
  readonly createdAt: string;
  /** The matching messages; none if only the title matches. */
  readonly seqs: number[];
}

type TitleRow = Omit<Candidate, 'seqs'> & { readonly num: number };

function candidates(
  connection: ReadableDatabase,
  {
    except,
    count,
    terms,
  }: { readonly except: string | null; readonly count: number; readonly terms: readonly WeighedTerm[] },
): Map<number, Candidate> {
  // CROSS JOIN: the index is walked from its newest entry, and the walk ends at the limit.
  const messages = connection.statement<TitleRow & { readonly seq: number }>(
    `SELECT f.rowid AS seq, c.num, c.title, c.created_at AS createdAt
     FROM message_index AS f CROSS JOIN events AS e ON e.seq = f.rowid CROSS JOIN conversations AS c ON c.num = e.conversation
     WHERE f.words MATCH ?1 AND c.deleted_at IS NULL AND c.id IS NOT ?2 ORDER BY f.rowid DESC LIMIT ${WALKED}`,
  );
  const titles = connection.statement<TitleRow>(
    `SELECT c.num, c.title, c.created_at AS createdAt FROM title_index AS f CROSS JOIN conversations AS c ON c.num = f.rowid
     WHERE f.words MATCH ?1 AND c.deleted_at IS NULL AND c.id IS NOT ?2 ORDER BY f.rowid DESC LIMIT ${TITLES}`,
  );
  const found = new Map<number, Candidate>();
  const candidateOf = ({ num, title, createdAt }: TitleRow): Candidate => {
    const known = found.get(num) ?? { title, createdAt, seqs: [] };
    found.set(num, known);
    return known;
  };
  const taken = new Set<number>();
  for (const { expression } of lookupsFor(terms)) {
    for (const row of titles.all(expression, except)) if (!COMMAND_TITLE.test(row.title)) candidateOf(row);
    for (const row of messages.all(expression, except)) {
      if (taken.size >= count) return found;
      const { seqs } = candidateOf(row);
      if (seqs.length >= MESSAGES_OF_ONE || taken.has(row.seq)) continue;
      seqs.push(row.seq);
      taken.add(row.seq);
    }
  }
  return found;
}

/**
 * Commands like `/store_memory {…}` or `/tools` are not part of the conversation: a search would find what was meant to
 * be forgotten.
 */
function isToldToApp(body: string): boolean {
  const event = parseEvent(body);
  return event?.type === 'user_message' && (event.isCommand === true || event.callsTools === true);
}

function speakerOf(type: string): string {
  return type === 'user_message' ? 'User' : 'Assistant';
}

function firstMessage(connection: ReadableDatabase, conversation: number): MessageRow[] {
  return connection
    .statement<MessageRow>(
      `SELECT seq, conversation, type, at, body FROM events
       WHERE conversation = ? AND type = 'user_message' ORDER BY seq LIMIT 1`,
    )
    .all(conversation);
}

/** Text from outside that was in the conversation: what was said may be derived from it. */
function untrustedMarksOf(connection: ReadableDatabase, conversation: number): readonly Mark[] {
  // Inside a JSON string the quotes would be escaped, so this finds only marks, without parsing every body.
  const rows = connection
    .statement<{ readonly body: string }>(
      `SELECT body FROM events WHERE conversation = ? AND type IN ('tool_result', 'user_message', 'compaction')
       AND instr(body, '"kind":"untrusted"') > 0`,
    )
    .iterate(conversation);
  const marks = new Map<string, Mark>();
  for (const { body } of rows) {
    const event = parseEvent(body);
    const all = event !== undefined && 'marks' in event ? (event.marks ?? []) : [];
    for (const mark of all) if (mark.kind === 'untrusted') marks.set(mark.source, mark);
    if (marks.size >= MAX_MARKS) break;
  }
  return [...marks.values()].slice(0, MAX_MARKS);
}
