import type { AssistantBlock, UserInputBlock } from './content.ts';
import type { ToolCard } from './tool-card.ts';

/**
 * What happened in a conversation, in order. The log is append-only and the only source of truth: the history given to a
 * model, what the window shows and what is exported are all folded from it. Every event is committed before anyone hears
 * of it. The one exception to append-only: when a `block` event of type text is appended, the `text_delta` rows it
 * repeats are dropped in the same transaction.
 */

/** A mark on the context. `untrusted`: text from outside is in it. `private`: the user's own data is in it. */
export interface Mark {
  readonly kind: 'untrusted' | 'private';
  /** What was read, for people: `file notes.md`, `mail from a@b.c`, `https://example.org`. */
  readonly source: string;
}

export type DecisionBy = 'default' | 'rule' | 'flag' | 'user';

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Why a turn ended. The first four are the model's, `pause_turn` never ends a turn. */
export type TurnStopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'refusal'
  | 'context_window_exceeded'
  | 'round_limit'
  | 'interrupted'
  | 'error';

/** What the user sent. */
export interface SentMessage {
  /** What was attached, then what was written. */
  readonly content: readonly UserInputBlock[];
  /** So many blocks at the beginning of `content` are attachments; absent: none. */
  readonly attached?: number;
  /** Sent without a click or a key of a person: the page may have done it by itself. Its words are nobody's wish. */
  readonly isUnattended?: true;
  /** Answered by Steward itself, without a model: neither it nor the answer is part of the model's history. */
  readonly isCommand?: true;
  /** Of what was attached. */
  readonly marks?: readonly Mark[];
}

export type ConversationEvent =
  | ({ readonly type: 'user_message' } & SentMessage)
  /** A request to the model begins. */
  | { readonly type: 'round_start'; readonly model: string }
  | { readonly type: 'text_delta'; readonly text: string }
  /** A complete content block of the assistant (a text cut off by Stop or a dropped stream counts as complete). */
  | { readonly type: 'block'; readonly block: AssistantBlock }
  | { readonly type: 'round_end'; readonly stopReason: string }
  /** The registered name of the tool, and the input as the model (or the user) sent it. */
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly answer: 'allow' | 'deny';
      readonly by: DecisionBy;
      readonly reason: string;
      readonly ruleId?: string;
      /** A folder that the user could grant to make this call possible. */
      readonly grantableFolder?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      /** The whole result. */
      readonly text: string;
      /** What the model was given where that differs from `text` (capped, or `(no output)`). */
      readonly modelText?: string;
      readonly isError: boolean;
      readonly marks?: readonly Mark[];
      readonly elapsedMs?: number;
      readonly card?: ToolCard;
      /** Paths that this call changed, as it was given them; their state before is kept (see before-images). */
      readonly changed?: readonly string[];
    }
  /** The user had changes of these calls taken back; `paths`: real paths that are again what they were. */
  | { readonly type: 'undo'; readonly calls: readonly string[]; readonly paths: readonly string[] }
  | ({ readonly type: 'usage'; readonly model: string; readonly costUsd?: number } & TokenUsage)
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  /** Rounds up to and including event `throughSeq` are replaced by `summary` in the model's history. */
  | {
      readonly type: 'compaction';
      readonly summary: string;
      readonly throughSeq: number;
      readonly marks: readonly Mark[];
    }
  /** The user tried the last message again: events after `afterSeq` and before this one are out of the model's history. */
  | { readonly type: 'retry'; readonly afterSeq: number }
  | { readonly type: 'turn_end'; readonly stopReason: TurnStopReason };

/** An event as it stands in the database. */
export type StoredEvent = ConversationEvent & {
  /** Strictly increasing over the whole database; the only order. Clocks may jump. */
  readonly seq: number;
  readonly conversationId: string;
  readonly turnId: string;
  /** ISO 8601, for people only. */
  readonly at: string;
};

export type EventOf<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>;
