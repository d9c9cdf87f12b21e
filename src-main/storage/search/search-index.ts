import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { firstCharacters } from '../../base/text.ts';
import { messageBlocks } from '../conversations/attached-text.ts';
import { deltaRunBefore } from '../conversations/delta-runs.ts';
import type { WritableDatabase } from '../database/connection.ts';
import { indexableText } from './search-text.ts';

/** The limit in UTF-16 units of one text. Words beyond it are not found, because the beginning of a book is enough. */
const MAX_INDEXED = 200_000;

/** Text of an event that a user might search for; `undefined` for events that are not searched. */
export function searchableText(event: ConversationEvent): string | undefined {
  if (event.type !== 'block' && event.type !== 'user_message') return undefined;
  const blocks = event.type === 'block' ? [event.block] : messageBlocks(event);
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [firstCharacters(block.text, MAX_INDEXED)] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Adds an event to the index. Must run in the transaction that adds the event. */
export function indexEvent(
  connection: WritableDatabase,
  conversation: number,
  seq: number,
  event: ConversationEvent,
): void {
  const text = searchableText(event);
  if (text) addWords(connection, seq, text);
  if (event.type !== 'user_message') return;
  // A text cut off by a crash never became a block; nothing is added to it once the next message is stored.
  const cutOff = deltaRunBefore(connection, conversation, seq);
  if (cutOff) addWords(connection, cutOff.lastSeq, cutOff.text);
}

/**
 * Removes what `indexEvent` added. Must run in the transaction that deletes the event, while the events before it are
 * there.
 */
export function unindexEvent(
  connection: WritableDatabase,
  conversation: number,
  seq: number,
  event: ConversationEvent,
): void {
  const text = searchableText(event);
  if (text) removeWords(connection, seq, text);
  if (event.type !== 'user_message') return;
  const cutOff = deltaRunBefore(connection, conversation, seq);
  if (cutOff) removeWords(connection, cutOff.lastSeq, cutOff.text);
}

export function indexTitle(connection: WritableDatabase, conversation: number, title: string): void {
  connection.statement('DELETE FROM title_index WHERE rowid = ?').run(conversation);
  connection.statement('INSERT INTO title_index (rowid, words) VALUES (?, ?)').run(conversation, indexableText(title));
}

/** `text` is question and answer. */
export function indexMemory(connection: WritableDatabase, num: number, text: string): void {
  connection.statement('INSERT INTO memory_index (rowid, words) VALUES (?, ?)').run(num, indexableText(text));
}

/**
 * The index has no copy of the texts, so it has to be told the words that are removed
 * (https://sqlite.org/fts5.html#the_delete_command).
 */
function removeWords(connection: WritableDatabase, seq: number, text: string): void {
  const words = indexableText(text);
  if (words === '') return;
  connection
    .statement("INSERT INTO message_index (message_index, rowid, words) VALUES ('delete', ?, ?)")
    .run(seq, words);
}

function addWords(connection: WritableDatabase, seq: number, text: string): void {
  const words = indexableText(text);
  if (words !== '') connection.statement('INSERT INTO message_index (rowid, words) VALUES (?, ?)').run(seq, words);
}
