import type { AssistantBlock, ResultPart, TextBlock } from './content-blocks.ts';
import type { DecisionReason } from './decision-reason.ts';
import type { Remedy } from './remedies.ts';
import type { ToolCard } from './tool-card.ts';
import type { CallWords } from './tool-words.ts';

/**
 * What happened in a conversation, in order. The log is append-only and the only source of truth: the history given to a
 * model, what the window shows and what is exported are all folded from it. Every event is committed before anyone hears
 * of it. The one exception to append-only: when a `block` event of type text is appended, the `text_delta` rows it
 * repeats are dropped in the same transaction.
 *
 * Typed once: storage, the assistant, the IPC and the renderer use these types. Rows of older versions are made into them
 * when they are read (src-main/storage/conversations/upcast.ts).
 */

/**
 * A mark on the context. `untrusted`: text from outside is in it. `private`: the user's own data is in it. `secret`: of that, the
 * text of a file that usually holds secrets; people are told of the `private` beside it.
 */
export interface Mark {
  readonly kind: 'untrusted' | 'private' | 'secret';
  /** What was read, for people: `file notes.md`, `mail from a@b.c`, `https://example.org`. */
  readonly source: string;
}

/** One that people are told of. */
export type ShownMark = Mark & { readonly kind: Exclude<Mark['kind'], 'secret'> };

export function isShownMark(mark: Mark): mark is ShownMark {
  return mark.kind !== 'secret';
}

export type DecisionBy = 'default' | 'rule' | 'flag' | 'user';

/** `person`: called by its name, without a model. */
export type CalledBy = 'model' | 'person';

/**
 * How a call ended. `failed`: with an error, also what never could be a call (no such tool, invalid input). `declined`: the
 * policy or the person said no. `stopped`: the person pressed Stop. `interrupted`: the process died.
 */
export type CallOutcome = 'completed' | 'failed' | 'declined' | 'stopped' | 'interrupted';

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

/** What stands in a message besides what the person wrote. A document is attached as its text. */
export type MessageAttachment =
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly text: string;
      /** How many UTF-16 units of `text` models are given, from its beginning; absent: all of it. */
      readonly given?: number;
      /** Only on the way to the window: `text` is the beginning of a text with so many units. */
      readonly length?: number;
    }
  /** `mediaType`: IANA; `data`: Base64. */
  | { readonly kind: 'image'; readonly name?: string; readonly mediaType: string; readonly data: string };

/** What a model is given for an empty result; the result's own text stays empty. Source: tool catalogue A.8. */
export const NO_OUTPUT = '(no output)';

/** What the user sent. */
export interface SentMessage {
  /** What the person wrote, and nothing else; empty where they only attached something. */
  readonly content: readonly TextBlock[];
  /** The model is given them before `content`. */
  readonly attachments?: readonly MessageAttachment[];
  /** Sent without a click or a key of a person: the page may have done it by itself. Its words are nobody's wish. */
  readonly isUnattended?: true;
  /** Answered by Steward itself, without a model: neither it nor the answer is part of the model's history. */
  readonly isCommand?: true;
  /** Only calls tools by their names, which is said to nobody. It and the results stay in the model's history. */
  readonly callsTools?: true;
  /** Of what was attached. */
  readonly marks?: readonly Mark[];
  /** The addresses in it that are the person's own wish. Absent in what older versions wrote. */
  readonly named?: NamedAddresses;
}

/** `hosts`: as URLs carry them; whatever is on them. `urls`: exactly these pages. */
export interface NamedAddresses {
  readonly hosts: readonly string[];
  readonly urls: readonly string[];
}

export const NOTHING_NAMED: NamedAddresses = { hosts: [], urls: [] };

export type ConversationEvent =
  | ({ readonly type: 'user_message' } & SentMessage)
  /** A request to the model begins. */
  | { readonly type: 'round_start'; readonly model: string }
  | { readonly type: 'text_delta'; readonly text: string }
  /**
   * A complete content block of the assistant (a text cut off by Stop or a dropped stream counts as complete). `words`: of a
   * call in it, only on the way to the window.
   */
  | { readonly type: 'block'; readonly block: AssistantBlock; readonly words?: CallWords }
  | { readonly type: 'round_end'; readonly stopReason: string }
  /** The registered name of the tool, and the input as the model (or the user) sent it. */
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly calledBy: CalledBy;
      /** What its card says. Absent in what older versions wrote; the window is given them with every call. */
      readonly words?: CallWords;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly answer: 'allow' | 'deny';
      readonly by: DecisionBy;
      readonly reason: DecisionReason;
      readonly ruleId?: string;
      /** A folder that the user could grant to make this call possible. */
      readonly grantableFolder?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly calledBy: CalledBy;
      readonly outcome: CallOutcome;
      /** Of a command that has ended. */
      readonly exitCode?: number;
      /** The whole result. */
      readonly text: string;
      /** The whole result, where it is more than `text`. */
      readonly parts?: readonly ResultPart[];
      /** What the model was given where that differs from `text` (capped, or `NO_OUTPUT`). */
      readonly modelText?: string;
      readonly isError: boolean;
      readonly marks?: readonly Mark[];
      readonly elapsedMs?: number;
      readonly card?: ToolCard;
      /**
       * Addresses in the result that may be followed: URL fields of search results, and of a page that was itself such a link, or
       * that the person gave, its first links.
       */
      readonly links?: readonly string[];
      /** Paths that this call changed, as it was given them; their state before is kept (see before-images). */
      readonly changed?: readonly string[];
      /**
       * Only on the way to the window: `text` is the beginning of a result with so many characters, and `end` the last lines of
       * what a command printed.
       */
      readonly cut?: { readonly length: number; readonly end?: string };
    }
  /** The user had changes of these calls taken back; `paths`: real paths that are again what they were. */
  | { readonly type: 'undo'; readonly calls: readonly string[]; readonly paths: readonly string[] }
  | ({ readonly type: 'usage'; readonly model: string; readonly costUsd?: number } & TokenUsage)
  /** `names`: of what it speaks of, where a later notice must know; of `tools_left_out`, the tools. */
  | { readonly type: 'notice'; readonly code: string; readonly message: string; readonly names?: readonly string[] }
  /** `remedies`: where it is mended; absent where trying again is all there is, and in what older versions wrote. */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly remedies?: readonly Remedy[] }
  /** Rounds up to and including event `throughSeq` are replaced by `summary` in the model's history. */
  | {
      readonly type: 'compaction';
      readonly summary: string;
      readonly throughSeq: number;
      readonly marks: readonly Mark[];
    }
  /** The user tried the last message again: events after `afterSeq` and before this one are out of the model's history. */
  | { readonly type: 'retry'; readonly afterSeq: number }
  /** `wasStopped`: the person pressed Stop. A turn that was interrupted and does not say so was cut off by the end of its process. */
  | { readonly type: 'turn_end'; readonly stopReason: TurnStopReason; readonly wasStopped?: true };

/** A committed event of a conversation that both sides know. */
export type LogEvent = ConversationEvent & {
  /** Strictly increasing over the whole database; the only order. Clocks may jump. */
  readonly seq: number;
  readonly turnId: string;
  /** ISO 8601, for people only. */
  readonly at: string;
};

/** An event as it stands in the database. */
export type StoredEvent = LogEvent & { readonly conversationId: string };

export type EventOf<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>;

/** What happens that is worth seeing but not worth keeping. */
export type LiveEvent =
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_output'; readonly id: string; readonly chunk: string };
