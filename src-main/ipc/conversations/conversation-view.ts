import type { ConversationSummary } from '../../../src-preload/contract/conversations.ts';
import type { Services } from '../../services.ts';
import type { Conversation } from '../../storage/conversations/conversations.ts';
import { StorageError } from '../../storage/database/storage-error.ts';
import type { Turns } from './turns.ts';

/** One that is not in the trash. Throws `StorageError` `conversation_unknown`. */
export function existingConversation({ storage }: Pick<Services, 'storage'>, id: string): Conversation {
  const conversation = storage.conversations.get(id);
  if (conversation === undefined || conversation.deletedAt !== null)
    throw new StorageError('conversation_unknown', 'This conversation no longer exists.');
  return conversation;
}

export function conversationSummary(conversation: Conversation, turns: Pick<Turns, 'isRunning'>): ConversationSummary {
  const { id, title, workspace, model, createdAt, updatedAt } = conversation;
  return { id, title, workspace, model, createdAt, updatedAt, isAnswering: turns.isRunning(id) };
}
