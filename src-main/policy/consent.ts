import type { Consequence } from '../../src-preload/contract/consequence.ts';
import type { DecisionReason, GrantSubject, KeptFor } from '../../src-preload/contract/decision-reason.ts';
import type { MessageAttachment, ShownMark } from '../../src-preload/contract/events.ts';
import type { UndoRefusal } from '../../src-preload/contract/undo-refusal.ts';
import type { Access, AccessClass, Preview } from './access.ts';
import type { CommandSteps } from './accesses/access-kind.ts';
import type { DiffPreview } from './diff-preview.ts';
import type { AskedBy } from './gate-call.ts';
import type { DefinitionChange } from './mcp/definitions.ts';
import type { FormContent, FormField } from './mcp/form.ts';
import type { HeldBefore } from './mcp/held-permissions.ts';
import type { McpClass } from './mcp/mcp-class.ts';
import type { GrantedValue } from './permission-grant.ts';
import type { RuleDraft } from './rules.ts';

/**
 * One gate for everything that acts or grants power. A request goes to the surface the user is using (a terminal, the
 * consent view); nothing takes effect without an answer.
 */
export type ConsentRequest =
  | ToolConsentRequest
  | ToolGroupConsentRequest
  | GrantConsentRequest
  | UndoConsentRequest
  | MessageConsentRequest
  | LinkConsentRequest
  | MailConsentRequest
  | ReviewConsentRequest
  | DefinitionsConsentRequest
  | FormConsentRequest
  | ServerLinkConsentRequest
  | SamplingConsentRequest
  | PairingConsentRequest;

interface Asked {
  readonly id: string;
  /** Why Steward asks. */
  readonly reason: DecisionReason;
}

export interface ToolConsentRequest extends Asked {
  readonly kind: 'tool';
  readonly tool: string;
  /**
   * The question in the tool's own words, for built-in tools only. If it is undefined, it is derived from the accesses.
   */
  readonly asked?: string | undefined;
  /** All arguments, never shortened, so that nothing can hide behind the end of a long one. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly access: readonly Access[];
  /** The access classes of the whole call, without duplicates. */
  readonly classes: readonly AccessClass[];
  readonly previews: readonly Preview[];
  /** What is in the context, if that is the reason for asking. */
  readonly marks: readonly ShownMark[];
  /** Rules that would cover such calls; empty if "always" must not be offered. */
  readonly offers: readonly RuleDraft[];
  /** Adding one of them would let edited files run without a question. */
  readonly rulesMeet: boolean;
  /** Files that the command could run and that changed since text from outside was read; usually none. */
  readonly review: readonly DiffPreview[];
  /** Hash of tool, arguments, before-image and review: the answer holds for exactly this. */
  readonly boundTo: string;
  /** Null outside any conversation. */
  readonly conversationId: string | null;
  /** The consequences of allowing it, gravest first. */
  readonly consequences: readonly Consequence[];
  /** One for each command among the accesses, in order. */
  readonly commandSteps: readonly CommandSteps[];
  /** Names of arguments with the tool's default value. */
  readonly defaulted: readonly string[];
  /** Why the model wants this, in its words: untrusted. Empty: it gave no reason. */
  readonly said: string;
  /** The call is made by a model that another call asked. Absent: by the model of the conversation, or by the user. */
  readonly askedBy?: AskedBy;
}

/**
 * Similar calls of one tool in one message, each allowed or declined individually. Only for surfaces that ask about
 * several at once.
 */
export interface ToolGroupConsentRequest extends Asked {
  readonly kind: 'tools';
  readonly tool: string;
  /** At least two, in call order, each with its own binding hash. */
  readonly calls: readonly ToolConsentRequest[];
  /** Rules that all of the calls offer. */
  readonly offers: readonly RuleDraft[];
  readonly conversationId: string | null;
}

/** Something that gives the assistant more power: a server, a folder, an endpoint. */
export type GrantConsentRequest = { [S in GrantSubject]: GrantConsentRequestOf<S> }[GrantSubject];

interface GrantConsentRequestOf<S extends GrantSubject> extends Asked, GrantedValue<S> {
  readonly kind: 'grant';
  /** For a changed MCP server: what it was allowed, and whether that ends. */
  readonly held?: HeldBefore;
  /**
   * Named by the config.json of a profile that no `ask` or window has taken over yet: then the user who gave the
   * profile on the command line named it too (design section 7, "Profile"). For skills: no others of that folder were
   * confirmed or declined before.
   */
  readonly atFirstSight?: boolean;
}

/** Files are restored to their state before calls of the assistant changed them. */
export interface UndoConsentRequest extends Asked {
  readonly kind: 'undo';
  readonly subject: 'call' | 'turn';
  /** The current and the restored version. */
  readonly previews: readonly Preview[];
  /** What is not restored. */
  readonly refused: readonly UndoRefusal[];
  /** Hash of the current files and of the changes to undo: the answer applies to exactly this. */
  readonly boundTo: string;
  readonly conversationId: string;
  /** The user saw these changes and allowed them in this session. */
  readonly wasShown?: true;
}

/** A message would be sent in the user's name, and main did not see them write and send it. */
export interface MessageConsentRequest extends Asked {
  readonly kind: 'message';
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
  /** Null if it starts a new one. */
  readonly conversationId: string | null;
}

/** An address would be opened in the user's browser. */
export interface LinkConsentRequest extends Asked {
  readonly kind: 'link';
  /** The address as it would be opened. */
  readonly url: string;
  readonly conversationId: string | null;
}

/** A mail that the user approved, and that may or may not have been sent: send it (again)? */
export interface MailConsentRequest extends Asked {
  readonly kind: 'mail';
  /** The address of the account that would send it, if known. */
  readonly from?: string;
  /** `Ada Lovelace <ada@example.org>`. */
  readonly to: readonly string[];
  /** Those of `to` who are outside the user's organisation. */
  readonly external: readonly string[];
  readonly subject: string;
  /** The whole text of the mail. */
  readonly body: string;
  readonly conversationId: string;
}

/** The user reviews files that were changed after text from outside was read. */
export interface ReviewConsentRequest extends Asked {
  readonly kind: 'review';
  readonly review: readonly DiffPreview[];
  /** Hash of the files as shown: the answer applies to exactly this. */
  readonly boundTo: string;
}

/** An MCP server's tool definitions that have not been reviewed yet. */
export interface DefinitionsConsentRequest extends Asked {
  readonly kind: 'definitions';
  /** The server's name in config.json. */
  readonly server: string;
  readonly changes: readonly DefinitionChange[];
  /** Nothing of this server was reviewed before. */
  readonly isFirst: boolean;
}

/** An MCP server asks the user to fill in a form. */
export interface FormConsentRequest extends Asked {
  readonly kind: 'form';
  /** The server's name in config.json. */
  readonly server: string;
  /** The message of the server. */
  readonly message: string;
  readonly fields: readonly FormField[];
  /** The conversation of the call that the server is working on; `null` if there is none. */
  readonly conversationId: string | null;
  /** How many conversations it may be for; more than one: the server did not say which. */
  readonly conversations: number;
}

/** An MCP server asks the user to open an address in their browser. */
export interface ServerLinkConsentRequest extends Asked {
  readonly kind: 'server-link';
  readonly server: string;
  /** The message of the server. */
  readonly message: string;
  /** Exactly as it would be opened. */
  readonly url: string;
  /** The host with its port, in ASCII. */
  readonly host: string;
  /** At `opened`, the page was opened, and the call continues once the user confirms that they are done. */
  readonly stage: 'asked' | 'opened';
  readonly conversationId: string | null;
  /** See `FormConsentRequest`. */
  readonly conversations: number;
}

/** An MCP server requests a completion from the user's model (sampling). */
export interface SamplingConsentRequest extends Asked {
  readonly kind: 'sampling';
  readonly server: string;
  /** The display name. */
  readonly model: string;
  /** Everything the model would be given, in order; the server's. */
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly tools: readonly { readonly name: string; readonly text: string }[];
  /** The answer would end early at these. */
  readonly stopSequences: readonly string[];
  readonly cost: SamplingCost;
  /** The server's model preferences; they are not followed. */
  readonly preferences: string;
  /** The server also asked for text of the conversation; it gets none. */
  readonly wantsContext: boolean;
  readonly conversationId: string;
  /** See `FormConsentRequest`. */
  readonly conversations: number;
}

/** A program on this machine wants to bring tools to the window. */
export interface PairingConsentRequest extends Asked {
  readonly kind: 'pairing';
  /** What it calls itself; visible characters only. Untrusted. */
  readonly name: string;
  /** The same; may be empty. */
  readonly version: string;
  /** When a program of this name was paired, if one is (ISO 8601): its pairing ends. */
  readonly replaces: string | null;
  /** Command lines that the assistant started and that run now: it may be one of them. */
  readonly running: readonly string[];
}

export interface SamplingCost {
  /** An estimate. */
  readonly inputTokens: number;
  readonly mostOutputTokens: number;
  /** Upper limit in US dollars, for input and output; `null` if the price is unknown. */
  readonly most: number | null;
}

export type ConsentAnswer =
  /** With `stopsAsking`, there are no more questions of this kind until the window is closed; only if offered. */
  | {
      readonly answer: 'allow';
      readonly scope: 'once';
      readonly by: 'user' | 'flag';
      readonly stopsAsking?: true;
      readonly reason?: DecisionReason;
      /** Pass the withheld variables to the command. */
      readonly passesVariables?: boolean;
      /** For a form, the entered values. */
      readonly content?: FormContent;
      /** The server may use the model again in this conversation. */
      readonly forServer?: true;
      /** For similar calls, indices of the allowed ones; the others are declined. Absent: all. */
      readonly calls?: readonly number[];
      /** The user's classes for a server's tools, by name; `null`: ask. Only if a choice was offered. */
      readonly classes?: Readonly<Record<string, McpClass | null>>;
    }
  /** Allow, and the user has reviewed what `review` shows. */
  | { readonly answer: 'allow'; readonly scope: 'reviewed'; readonly by: 'user' }
  /** Allow, and add one of the offered rules. */
  | {
      readonly answer: 'allow';
      readonly scope: KeptFor;
      readonly rule: RuleDraft;
      readonly by: 'user';
    }
  /** `word` is feedback for the model. `reason` is for the log, if no one was asked. */
  | {
      readonly answer: 'deny';
      readonly by: 'user' | 'flag' | 'default';
      readonly word?: string;
      /** A server's question was neither accepted nor declined. */
      readonly isCancelled?: true;
      readonly reason?: DecisionReason;
    };

export interface ConsentPort {
  /**
   * The surface shows similar calls of one message together, each to be allowed or not. Absent: it asks about one at a
   * time.
   */
  readonly asksTogether?: boolean;
  /** Rejects only with the signal's reason when aborted; then the request vanishes from the surface. */
  ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer>;
}
