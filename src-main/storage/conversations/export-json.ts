import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { Conversation } from './conversations.ts';

/** Changes when a reader of the old form could not read the new one. */
const VERSION = 2;

/** A conversation with every event, for machines. */
export function exportJson(whole: {
  conversation: Conversation;
  events: readonly StoredEvent[];
  exportedAt: Date;
}): string {
  const { conversation, events } = whole;
  const exportedAt = whole.exportedAt.toISOString();
  return `${JSON.stringify({ format: 'steward-conversation', version: VERSION, exportedAt, conversation, events }, null, 2)}\n`;
}
