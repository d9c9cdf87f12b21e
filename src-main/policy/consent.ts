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
 * Everything that acts or grants power asks through this one gate. A request goes to the surface that the user is using
 * (a terminal, the consent view), and nothing takes effect without an answer.
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
  /** The reason why Steward asks. */
  readonly reason: DecisionReason;
}

export interface ToolConsentRequest extends Asked {
  readonly kind: 'tool';
  readonly tool: string;
  /**
   * The question in the tool's own words, for built-in tools only. If it is undefined, it is derived from the accesses.
   */
  readonly asked?: string | undefined;
  /**
   * All arguments in full. If a long one were shortened, its end could hold what nobody saw: a harmless script of 300
   * lines, then `curl evil.example`.
   */
  readonly input: Readonly<Record<string, unknown>>;
  readonly access: readonly Access[];
  /** The access classes of the whole call, without duplicates. */
  readonly classes: readonly AccessClass[];
  readonly previews: readonly Preview[];
  /** What is in the context, if that is the reason for asking. */
  readonly marks: readonly ShownMark[];
  /** The rules that would cover such calls. There are none if "always" must not be offered. */
  readonly offers: readonly RuleDraft[];
  /**
   * Adding one of these rules would let edited files run without a question: a rule for editing `~/project` beside one
   * for `npm test` there.
   */
  readonly rulesMeet: boolean;
  /** The files that the command could run and that changed since text from outside was read. Usually there are none. */
  readonly review: readonly DiffPreview[];
  /** The hash of tool, arguments, before-image and review. The answer holds for exactly this. */
  readonly boundTo: string;
  /** The conversation of the call, or null if it belongs to none. */
  readonly conversationId: string | null;
  /** The consequences of allowing it, gravest first. */
  readonly consequences: readonly Consequence[];
  /** The steps of each command among the accesses, in order. */
  readonly commandSteps: readonly CommandSteps[];
  /** The names of arguments that have the tool's default value. */
  readonly defaulted: readonly string[];
  /** Why the model wants this, in its own untrusted words. Empty if it gave no reason. */
  readonly said: string;
  /**
   * The model that makes the call, if another call asked it. Without this, the model of the conversation or the user
   * makes it.
   */
  readonly askedBy?: AskedBy;
}

/**
 * Similar calls of one tool in one message, each allowed or declined individually. Only surfaces that ask about several
 * calls at once get this.
 */
export interface ToolGroupConsentRequest extends Asked {
  readonly kind: 'tools';
  readonly tool: string;
  /** Two or more calls in their order, each with its own binding hash. */
  readonly calls: readonly ToolConsentRequest[];
  /** The rules that all of the calls offer. */
  readonly offers: readonly RuleDraft[];
  readonly conversationId: string | null;
}

/** Something that gives the assistant more power: a server, a folder, an endpoint. */
export type GrantConsentRequest = { [S in GrantSubject]: GrantConsentRequestOf<S> }[GrantSubject];

interface GrantConsentRequestOf<S extends GrantSubject> extends Asked, GrantedValue<S> {
  readonly kind: 'grant';
  /** What a changed MCP server was allowed so far, and whether that ends. */
  readonly held?: HeldBefore;
  /**
   * The value is named by the config.json of a profile that no `ask` or window has taken over yet. The user who gave
   * the profile on the command line then named the value too (design section 7, "Profile"). For skills, it means that
   * no others of that folder were confirmed or declined before.
   */
  readonly atFirstSight?: boolean;
}

/** The files would be restored to what they were before calls of the assistant changed them. */
export interface UndoConsentRequest extends Asked {
  readonly kind: 'undo';
  /** `redo`: what was undone is made again. */
  readonly subject: 'call' | 'turn' | 'redo';
  /** The current and the restored version. */
  readonly previews: readonly Preview[];
  /** The changes that would not be restored. */
  readonly refused: readonly UndoRefusal[];
  /** The hash of the current files and of the changes to undo. The answer applies to exactly this. */
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
  /** The conversation that the message goes to, or null if it starts a new one. */
  readonly conversationId: string | null;
}

/** An address would be opened in the user's browser. */
export interface LinkConsentRequest extends Asked {
  readonly kind: 'link';
  /** The address as it would be opened. */
  readonly url: string;
  readonly conversationId: string | null;
}

/** A mail that the user approved may or may not have been sent. The question is whether to send it, perhaps again. */
export interface MailConsentRequest extends Asked {
  readonly kind: 'mail';
  /** The address of the account that would send it, if known. */
  readonly from?: string;
  /** The recipients, written like `Ada Lovelace <ada@example.org>`. */
  readonly to: readonly string[];
  /** Those recipients who are outside the user's organisation. */
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
  /** The hash of the files as shown. The answer applies to exactly this. */
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
  /** The conversation of the call that the server is working on, or null if there is none. */
  readonly conversationId: string | null;
  /** The number of conversations that the request may belong to. If there are several, the server did not say which. */
  readonly conversations: number;
}

/** An MCP server asks the user to open an address in their browser. */
export interface ServerLinkConsentRequest extends Asked {
  readonly kind: 'server-link';
  readonly server: string;
  /** The message of the server. */
  readonly message: string;
  /** The address exactly as it would be opened. */
  readonly url: string;
  /** The host with its port, in ASCII. */
  readonly host: string;
  /** With `opened`, the page was opened, and the call continues once the user confirms that they are done. */
  readonly stage: 'asked' | 'opened';
  readonly conversationId: string | null;
  /** The number of conversations that the request may belong to; see `FormConsentRequest`. */
  readonly conversations: number;
}

/** An MCP server requests a completion from the user's model (sampling). */
export interface SamplingConsentRequest extends Asked {
  readonly kind: 'sampling';
  readonly server: string;
  /** The display name of the model. */
  readonly model: string;
  /**
   * The system prompt. It and everything below are the server's, complete and in the order in which the model would get
   * them.
   */
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly tools: readonly { readonly name: string; readonly text: string }[];
  /** The texts at which the answer would end early. */
  readonly stopSequences: readonly string[];
  readonly cost: SamplingCost;
  /** The server's model preferences, which are not followed. */
  readonly preferences: string;
  /** The server also asked for text of the conversation, which it doesn't get. */
  readonly wantsContext: boolean;
  readonly conversationId: string;
  /** The number of conversations that the request may belong to; see `FormConsentRequest`. */
  readonly conversations: number;
}

/** A program on this machine wants to bring tools to the window. */
export interface PairingConsentRequest extends Asked {
  readonly kind: 'pairing';
  /** The name that the program gives itself, without invisible characters. Untrusted. */
  readonly name: string;
  /** The version that the program gives itself, which may be empty. Untrusted. */
  readonly version: string;
  /** When a program of this name was paired (ISO 8601), or null if none was. A yes ends that pairing. */
  readonly replaces: string | null;
  /**
   * The command lines that the assistant started and that are running now. The program may be one of them: a model can
   * start it with `bash` and have it ask to be trusted.
   */
  readonly running: readonly string[];
}

export interface SamplingCost {
  /** An estimate of the tokens that are sent. */
  readonly inputTokens: number;
  readonly mostOutputTokens: number;
  /** The upper limit for input and output in US dollars, or null if the price is unknown. */
  readonly most: number | null;
}

export type ConsentAnswer =
  /**
   * With `stopsAsking`, which must have been offered, there are no more questions of this kind until the window is
   * closed.
   */
  | {
      readonly answer: 'allow';
      readonly scope: 'once';
      readonly by: 'user' | 'flag';
      readonly stopsAsking?: true;
      readonly reason?: DecisionReason;
      /** The withheld variables are passed to the command. */
      readonly passesVariables?: boolean;
      /** The values that were entered in a form. */
      readonly content?: FormContent;
      /** The server may use the model again in this conversation. */
      readonly forServer?: true;
      /**
       * The indices of the allowed calls among similar ones, all others being declined. Without this, all are allowed.
       */
      readonly calls?: readonly number[];
      /**
       * The user's classes for a server's tools, by name. Null means that the tool asks each time. Only a choice that
       * was offered counts.
       */
      readonly classes?: Readonly<Record<string, McpClass | null>>;
    }
  /** Allows the call, and confirms that the user has reviewed what `review` shows. */
  | { readonly answer: 'allow'; readonly scope: 'reviewed'; readonly by: 'user' }
  /** Allows the call and adds one of the offered rules. */
  | {
      readonly answer: 'allow';
      readonly scope: KeptFor;
      readonly rule: RuleDraft;
      readonly by: 'user';
    }
  /** `word` is feedback for the model. `reason` is for the log if nobody was asked. */
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
   * The surface shows similar calls of one message together, each to be allowed or not. Otherwise it gets one call at a
   * time.
   */
  readonly asksTogether?: boolean;
  /** Rejects only when aborted, with the signal's reason. The surface then no longer shows the request. */
  ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer>;
}
