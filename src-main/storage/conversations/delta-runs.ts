import type { ReadableDatabase, WritableDatabase } from '../database/connection.ts';

/**
 * The streamed text at the end of a conversation before event `beforeSeq` that no `block` has repeated yet: the text
 * deltas of one turn after its last block or round start.
 */
export interface DeltaRun {
  readonly lastSeq: number;
  readonly text: string;
}

/** The sequence number after which the deltas of this run begin. */
export function deltaRunStart(
  connection: ReadableDatabase,
  conversation: number,
  turnId: string,
  beforeSeq: number,
): number {
  const row = connection
    .statement(
      `SELECT seq FROM events WHERE conversation = ? AND seq < ? AND (turn_id <> ? OR type IN ('block', 'round_start'))
       ORDER BY seq DESC LIMIT 1`,
    )
    .get(conversation, beforeSeq, turnId) as { seq: number } | undefined;
  return row?.seq ?? 0;
}

/** Deletes the deltas that a `block` of type text, just added as `blockSeq`, repeats. */
export function dropRepeatedDeltas(
  connection: WritableDatabase,
  conversation: number,
  turnId: string,
  blockSeq: number,
): void {
  connection
    .statement("DELETE FROM events WHERE conversation = ? AND seq > ? AND seq < ? AND type = 'text_delta'")
    .run(conversation, deltaRunStart(connection, conversation, turnId, blockSeq), blockSeq);
}

/** The run that ends right before `beforeSeq`; `undefined` if the event there is not a delta. */
export function deltaRunBefore(
  connection: ReadableDatabase,
  conversation: number,
  beforeSeq: number,
): DeltaRun | undefined {
  const last = connection
    .statement('SELECT seq, type, turn_id FROM events WHERE conversation = ? AND seq < ? ORDER BY seq DESC LIMIT 1')
    .get(conversation, beforeSeq) as { seq: number; type: string; turn_id: string } | undefined;
  if (last?.type !== 'text_delta') return undefined;
  const start = deltaRunStart(connection, conversation, last.turn_id, beforeSeq);
  const rows = connection
    .statement(
      `SELECT json_extract(body, '$.text') AS text FROM events
       WHERE conversation = ? AND seq > ? AND seq < ? AND type = 'text_delta' ORDER BY seq`,
    )
    .all(conversation, start, beforeSeq) as { text: string }[];
  return { lastSeq: last.seq, text: rows.map((row) => row.text).join('') };
}
