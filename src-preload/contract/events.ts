import type { AccessClass } from './access-class.ts';
import type { MediaKind } from './attached-media.ts';
import type { AssistantBlock, ImageBlock, ResultPart, TextBlock } from './content-blocks.ts';
import type { DecisionReason } from './decision-reason.ts';
import type { FileChanges } from './file-changes.ts';
import type { MailState, WhyNotSent } from './outbox.ts';
import type { Remedy } from './remedies.ts';
import type { ToolCard } from './tool-card.ts';
import type { CallWords } from './tool-words.ts';

/**
 * What happened in a conversation, in order. The log is append-only and the only source of truth: the model's history,
 * the view in the window and exports are all folded from it. Every event is committed before any listener is told. The
 * one exception to append-only: when a `block` event of type text is appended, the `text_delta` rows it repeats are
 * deleted in the same transaction.
 *
 * Typed once: storage, the assistant, the IPC and the renderer use these types. Rows of older versions are converted
 * once by a migration (src-main/storage/database/migrations/).
 */

/**
 * A provenance mark on the context. `untrusted` means that it contains text from outside, `private` that it contains
 * the user's own data, and `secret` that it contains the text of a file that usually holds secrets; people are shown
 * the `private` mark that comes with it.
 */
export interface Mark {
  readonly kind: 'untrusted' | 'private' | 'secret';
  /** What was read, for people: `file notes.md`, `mail from a@b.c`, `https://example.org`. */
  readonly source: string;
}

/** A mark that is shown to people. */
export type ShownMark = Mark & { readonly kind: Exclude<Mark['kind'], 'secret'> };

export function isShownMark(mark: Mark): mark is ShownMark {
  return mark.kind !== 'secret';
}

/** `grant`: the user lets the assistant work freely in a folder. */
export type DecisionBy = 'default' | 'rule' | 'grant' | 'flag' | 'user';

/** `person` means that the user called the tool by name, without a model. */
export type CalledBy = 'model' | 'person';

/**
 * How a call ended. A call also `failed` if it could not be made (no such tool, invalid input). It was `declined` by
 * the policy or the user, and `stopped` by the user. An `unanswered` call asked the user something that they did not
 * want to answer. An `interrupted` call ended with the process.
 */
export type CallOutcome = 'completed' | 'failed' | 'declined' | 'unanswered' | 'stopped' | 'interrupted';

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

/** What a message contains besides the user's own text. A Word document is attached as its text. */
export type MessageAttachment =
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly text: string;
      readonly from?: ResourceOrigin;
      /**
       * The number of UTF-16 units from the start of `text` that models are given. Absent if they are given all of it.
       */
      readonly given?: number;
      /** The length of a text of which `text` is only the start. It is set only in events sent to the window. */
      readonly length?: number;
    }
  /** `mediaType` is from IANA's list, and `data` is Base64. */
  | {
      readonly kind: 'image';
      readonly name?: string;
      readonly mediaType: string;
      readonly data: string;
      readonly from?: ResourceOrigin;
    }
  | AttachedMedia;

/** A PDF or a recording. */
export interface AttachedMedia {
  readonly kind: MediaKind;
  readonly name: string;
  /** The media type, from IANA's list. */
  readonly mediaType: string;
  /** The file in Base64. */
  readonly data: string;
  readonly from?: never;
  /**
   * The size of the file, of which the window shows no more than this: `data` is then empty. It is set only in events
   * sent to the window.
   */
  readonly bytes?: number;
}

/** An attachment from an MCP server: its content is the server's, not the user's. */
export interface ResourceOrigin {
  readonly server: string;
  readonly uri: string;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly (TextBlock | ImageBlock)[];
}

/** The result of an MCP server's prompt: the user chose the prompt, but the words are the server's. */
export interface SentPrompt {
  readonly server: string;
  readonly name: string;
  readonly messages: readonly PromptMessage[];
}

/** What a model is given for an empty result; the stored text stays empty. Source: tool catalogue A.8. */
export const NO_OUTPUT = '(no output)';

/** What the user sent. */
export interface SentMessage {
  /** What the user wrote. Empty if they only attached something. */
  readonly content: readonly TextBlock[];
  /** The model gets it before `attachments`, with each message's role. */
  readonly prompt?: SentPrompt;
  /** The model gets them before `content`. */
  readonly attachments?: readonly MessageAttachment[];
  /**
   * Sent without a click or keystroke: the page may have done it without the user, so it does not count as the user's
   * wish.
   */
  readonly isUnattended?: true;
  /** Answered by Steward without a model: neither it nor the answer is part of the model's history. */
  readonly isCommand?: true;
  /** The turn only calls tools by name, without a model. The message and the results stay in the model's history. */
  readonly callsTools?: true;
  /** Marks of the attachments. */
  readonly marks?: readonly Mark[];
  /** The addresses in it that the user named. Absent in rows of older versions. */
  readonly named?: NamedAddresses;
}

/** All pages of the `hosts` (written as in URLs), and exactly the pages in `urls`. */
export interface NamedAddresses {
  readonly hosts: readonly string[];
  readonly urls: readonly string[];
}

export const NOTHING_NAMED: NamedAddresses = { hosts: [], urls: [] };

/**
 * `paths` are as given in the call, or the real ones that a command changed: some of them, and `count` of them all if
 * there are more.
 */
export interface KeptChange {
  readonly id: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly count?: number;
}

/** `asked` is a form, an address to open, or a model answer (sampling). */
export interface ServerRequest {
  readonly server: string;
  readonly asked: 'form' | 'link' | 'sampling';
  readonly answer: 'accepted' | 'declined' | 'cancelled';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
}

export type ConversationEvent =
  | ({ readonly type: 'user_message' } & SentMessage)
  /**
   * A request to the model starts. `provider` is its name in config.json, and absent in rows of older versions, which
   * knew only Anthropic and the Guide. `marks` are the new ones of texts in the request that are not results
   * (instructions of MCP servers, prompts and context of client tools).
   */
  | {
      readonly type: 'round_start';
      readonly model: string;
      readonly provider?: string;
      readonly marks?: readonly Mark[];
    }
  | { readonly type: 'text_delta'; readonly text: string }
  /**
   * A complete content block of the assistant (a text cut off by Stop or a dropped stream counts as complete). `words`
   * describe a call in it; only events sent to the window have them.
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
      /**
       * The call of `ask_{provider}` whose model made this one. Its decision and result have no such field; the model
       * of the conversation sees neither the call nor the result.
       */
      readonly inside?: string;
      /** For `ask_{provider}`, the name in config.json of the provider whose model it asks. */
      readonly asks?: string;
      /** What its card says. Absent in rows of older versions; the window gets them with every call. */
      readonly words?: CallWords;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly answer: 'allow' | 'deny';
      readonly by: DecisionBy;
      readonly reason: DecisionReason;
      readonly ruleId?: string;
      /** What an allowed call affects, without duplicates. Absent in rows of older versions. */
      readonly classes?: readonly AccessClass[];
      /** What the user wrote when they denied it. */
      readonly said?: string;
      /** A folder that the user could grant to make this call possible. */
      readonly grantableFolder?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly calledBy: CalledBy;
      readonly outcome: CallOutcome;
      /** The exit code of a finished command. */
      readonly exitCode?: number;
      /** The whole result. */
      readonly text: string;
      /** The full result, if it is longer than `text`. */
      readonly parts?: readonly ResultPart[];
      /** What the model was given, if it differs from `text` (capped, or `NO_OUTPUT`). */
      readonly modelText?: string;
      readonly isError: boolean;
      readonly marks?: readonly Mark[];
      readonly elapsedMs?: number;
      readonly card?: ToolCard;
      /**
       * Addresses in the result that may be followed: URL fields of search results, and the first links of a page that
       * was itself such a link or was given by the user. With `linksFrom`: of a mail, or of the page that a link of one
       * led to.
       */
      readonly links?: readonly string[];
      /** The senders whose mail the links come from: they are asked about by sender. */
      readonly linksFrom?: readonly string[];
      /** Paths that this call changed, as given in the call; their earlier state is stored (see before-images). */
      readonly changed?: readonly string[];
      /** Wire names of the tools that `find_tools` found, which the model is offered from then on. */
      readonly foundTools?: readonly string[];
      /** Where a user can fix why it failed. */
      readonly remedies?: readonly Remedy[];
      /**
       * What is missing: `text` is then the start of a result with this many characters, and `end` the last lines of a
       * command's output. It is set only in events sent to the window.
       */
      readonly cut?: { readonly length: number; readonly end?: string };
    }
  /**
   * What became of a mail that call `id` sends. `mail` is its id in the outbox. The event can come long after the call,
   * if Steward was closed meanwhile.
   */
  | {
      readonly type: 'mail';
      readonly id: string;
      readonly mail: string;
      readonly state: MailState;
      /** The number of recipients. */
      readonly recipients: number;
      /** When a `waiting` mail is sent (ISO 8601). */
      readonly dueAt?: string;
      /** For a mail that was `not_sent`, the reason. */
      readonly why?: WhyNotSent;
    }
  /** What changed in the roots while a command ran. It can come long after the call's result. */
  | ({ readonly type: 'changes' } & FileChanges)
  /**
   * The user undid changes of these calls. `paths`: real paths of the restored files, the first thousand of them, and
   * `count` of them all if there are more. `partly`: those of the calls of which something is left to be undone.
   */
  | {
      readonly type: 'undo';
      readonly calls: readonly string[];
      readonly paths: readonly string[];
      readonly count?: number;
      readonly partly?: readonly string[];
    }
  /** The user had changes of these calls, which had been undone, made again. */
  | {
      readonly type: 'redo';
      readonly calls: readonly string[];
      readonly paths: readonly string[];
      readonly count?: number;
    }
  /**
   * `server` is the MCP server whose sampling request used these tokens, if it was not the conversation itself.
   * `inside` is the call of `ask_{provider}` whose model used them. `provider` is the same as in `round_start`.
   */
  | ({
      readonly type: 'usage';
      readonly model: string;
      readonly provider?: string;
      readonly costUsd?: number;
      readonly server?: string;
      readonly inside?: string;
    } & TokenUsage)
  /** An MCP server asked the user something while one of its tools ran. What they entered is not stored. */
  | ({ readonly type: 'server_request' } & ServerRequest)
  /**
   * `names` is what the notice is about, if it is given again once that changes. `filled` belongs to `tools_left_out`:
   * the tools that the conversation is offered all the same, in wire form. `until` belongs to `retrying`: when the next
   * attempt begins (ISO 8601), absent if that is at once.
   */
  | {
      readonly type: 'notice';
      readonly code: string;
      readonly message: string;
      readonly names?: readonly string[];
      readonly filled?: readonly string[];
      readonly until?: string;
    }
  /**
   * `remedies` say where to fix it; they are absent if trying again is the only option, and in rows of older versions.
   */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly remedies?: readonly Remedy[] }
  /**
   * Rounds up to and including event `throughSeq` are replaced by `summary` in the model's history. `replaced` is the
   * number of messages of the user and the model in them, counting those that an earlier summary stood for; it is
   * absent in rows of older versions.
   */
  | {
      readonly type: 'compaction';
      readonly summary: string;
      readonly replaced?: number;
      readonly throughSeq: number;
      readonly marks: readonly Mark[];
    }
  /**
   * The user tried the last message again: events after `afterSeq` and before this one are no longer in the model's
   * history. `kept` are the calls among them that changed files and were not undone. It is absent if there are none,
   * and in rows of older versions.
   */
  | { readonly type: 'retry'; readonly afterSeq: number; readonly kept?: readonly KeptChange[] }
  /**
   * `wasStopped` means that the user pressed Stop. An interrupted turn without it was cut off when its process ended.
   */
  | { readonly type: 'turn_end'; readonly stopReason: TurnStopReason; readonly wasStopped?: true };

/** A committed event; both sides know which conversation it belongs to. */
export type LogEvent = ConversationEvent & {
  /**
   * The order of events, which is strictly increasing over the whole database. Nothing else orders them, because clocks
   * may jump.
   */
  readonly seq: number;
  readonly turnId: string;
  /** ISO 8601, for people only. */
  readonly at: string;
};

/** An event as stored in the database. */
export type StoredEvent = LogEvent & { readonly conversationId: string };

export type EventOf<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>;

/** Things worth showing but not worth storing. */
export type LiveEvent =
  | { readonly type: 'thinking'; readonly text: string }
  /** `progress` is the same in numbers; `chunk` is then empty. */
  | { readonly type: 'tool_output'; readonly id: string; readonly chunk: string; readonly progress?: CallProgress };

/** What a server says about a call that is still running. Source: MCP specification, "Progress". */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
