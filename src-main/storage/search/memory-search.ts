import type { Mark } from '../../../src-preload/contract/events.ts';
import { openReadable } from '../database/connection.ts';
import { recallConversations } from './recall-conversations.ts';
import { type Found, recallMemories } from './recall-memories.ts';
import { relevanceOf, termsOf } from './relevance.ts';

export interface MemoryHit {
  readonly kind: 'memory' | 'conversation';
  readonly text: string;
  /** 0 to 1, matching words and recency combined. */
  readonly relevance: number;
  /** Marks that reading it adds to the context besides `private`. */
  readonly marks: readonly Mark[];
}

export interface MemorySearchRequest {
  readonly directory: string;
  readonly file: string;
  readonly query: string;
  readonly limit: number;
  readonly exceptConversation: string | null;
  /** Since 1970; recency is measured from here. */
  readonly nowMs: number;
}

/**
 * Finds stored memories and conversations that share words with the question, best first. It opens the database for
 * this one search, so that nothing is held between searches. It blocks, so it runs in a worker.
 */
export function searchMemory(request: MemorySearchRequest): MemoryHit[] {
  const { file, query, limit, nowMs } = request;
  const asked = termsOf(query);
  const connection = openReadable(file);
  try {
    const ranked = (kind: MemoryHit['kind']) => (found: Found) => ({
      kind,
      found,
      relevance: relevanceOf(found.fit, nowMs - found.atMs),
    });
    return [
      ...recallMemories(connection, request, asked).map(ranked('memory')),
      ...recallConversations(connection, request, asked).map(ranked('conversation')),
    ]
      .sort((a, b) => b.relevance - a.relevance || b.found.atMs - a.found.atMs)
      .slice(0, limit)
      .map(({ kind, relevance, found }) => ({ kind, text: found.text, relevance, marks: found.marks() }));
  } finally {
    connection.close();
  }
}
