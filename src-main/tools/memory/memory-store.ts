import type { Mark } from '../../storage/events.ts';

/** What the assistant remembers across conversations, in the profile's database. Implemented by storage. */
export interface MemoryStore {
  /** An existing key is overwritten. `marks`: those of the context in which it was written, and they come back with it. */
  setFact(key: string, value: string, marks: readonly Mark[]): void;
  getFact(key: string): { readonly value: string; readonly marks: readonly Mark[] } | undefined;
  /** False: there was none. Keys are compared exactly. */
  clearFact(key: string): boolean;
  /** An existing question is overwritten. */
  storeMemory(question: string, answer: string, marks: readonly Mark[]): void;
  /** False: there was none. */
  clearMemory(question: string): boolean;
  /** Stored memories and archived conversations, best first; never rejects for what the query says. */
  searchMemory(query: string, options: MemorySearch): Promise<readonly MemoryHit[]>;
}

export interface MemorySearch {
  readonly limit: number;
  /** The conversation that asks: what was said in it is in the context anyway. */
  readonly exceptConversation: string | null;
}

export interface MemoryHit {
  readonly kind: 'memory' | 'conversation';
  readonly text: string;
  /** 0 to 1, words and recency together. */
  readonly relevance: number;
  /** What reading it puts on the context besides `private`. */
  readonly marks: readonly Mark[];
}
