import type { Consequence } from '../../src-preload/contract/consequence.ts';
import type { DecisionReason, GrantSubject, KeptFor } from '../../src-preload/contract/decision-reason.ts';
import type { MessageAttachment, ShownMark } from '../../src-preload/contract/events.ts';
import type { UndoRefusal } from '../../src-preload/contract/undo-refusal.ts';
import type { Access, AccessClass, Preview } from './access.ts';
import type { CommandSteps } from './consequences.ts';
import type { DiffPreview } from './diff-preview.ts';
import type { DefinitionChange } from './mcp/definitions.ts';
import type { RuleDraft } from './rules.ts';

/**
 * One gate for everything that acts or gives power. A request goes to whatever surface the person is in front of (a
 * terminal, the consent view); nothing takes effect without its answer.
 */
export type ConsentRequest =
  | ToolConsentRequest
  | ToolGroupConsentRequest
  | GrantConsentRequest
  | UndoConsentRequest
  | MessageConsentRequest
  | LinkConsentRequest
  | ReviewConsentRequest
  | DefinitionsConsentRequest;

interface Asked {
  readonly id: string;
  /** Why this is asked. */
  readonly reason: DecisionReason;
}

export interface ToolConsentRequest extends Asked {
  readonly kind: 'tool';
  readonly tool: string;
  /** The question in the tool's own words; only of tools of ours. `undefined`: it is said from what would be touched. */
  readonly asked?: string | undefined;
  /** All arguments, never shortened. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly access: readonly Access[];
  /** What the policy takes the whole call for, each class once. */
  readonly classes: readonly AccessClass[];
  readonly previews: readonly Preview[];
  /** What is in the context, when that is why it is asked. */
  readonly marks: readonly ShownMark[];
  /** Rules that would answer the like of this call; empty where "always" must not be offered. */
  readonly offers: readonly RuleDraft[];
  /** Keeping one of them would let what is edited run without a question. */
  readonly rulesMeet: boolean;
  /** Files that the command could run, with what became of them since text from outside was read; mostly none. */
  readonly review: readonly DiffPreview[];
  /** Hash of tool, arguments, before-image and review: the answer holds for exactly this. */
  readonly boundTo: string;
  /** `null`: outside any conversation. */
  readonly conversationId: string | null;
  /** What a yes would bring about, the gravest first. */
  readonly consequences: readonly Consequence[];
  /** One for each command among the accesses, in their order. */
  readonly commandSteps: readonly CommandSteps[];
  /** Names of arguments whose value is the tool's own default. */
  readonly defaulted: readonly string[];
  /** Why the model wants this, in its words: untrusted. Empty: it said nothing. */
  readonly said: string;
}

/** Like calls of one tool, of one message: each may be allowed or declined. Only where the surface asks together. */
export interface ToolGroupConsentRequest extends Asked {
  readonly kind: 'tools';
  readonly tool: string;
  /** At least two, in call order; each with what its own answer is bound to. */
  readonly calls: readonly ToolConsentRequest[];
  /** Rules that each of the calls offers. */
  readonly offers: readonly RuleDraft[];
  readonly conversationId: string | null;
}

/** Something that would let the assistant do more: a server, a folder, an endpoint, a rule. */
export interface GrantConsentRequest extends Asked {
  readonly kind: 'grant';
  readonly subject: GrantSubject;
  /** `mcpServers.files`, `endpoints.anthropic`, … */
  readonly key: string;
  /** The exact values that would take effect, as they would be used. */
  readonly value: unknown;
  /** What stands now, if anything. */
  readonly previous?: unknown;
  /**
   * Named by the config.json of a profile that no `ask` or window has taken over yet: then the person who gave the profile
   * on the command line named it too (design section 7, "Profile").
   */
  readonly atFirstSight?: boolean;
}

/** Files are put back as they were before calls of the assistant changed them. */
export interface UndoConsentRequest extends Asked {
  readonly kind: 'undo';
  readonly subject: 'call' | 'turn';
  /** What is there now, and what it becomes. */
  readonly previews: readonly Preview[];
  /** What stays as it is. */
  readonly refused: readonly UndoRefusal[];
  /** Hash of the files as they are now and of what is taken back: the answer holds for exactly this. */
  readonly boundTo: string;
  readonly conversationId: string;
}

/** A message is to be sent in the person's name, and main did not see them write and send it. */
export interface MessageConsentRequest extends Asked {
  readonly kind: 'message';
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
  /** `null`: it begins a new one. */
  readonly conversationId: string | null;
}

/** An address is to be opened in the person's browser. */
export interface LinkConsentRequest extends Asked {
  readonly kind: 'link';
  /** As it would be opened. */
  readonly url: string;
  readonly conversationId: string | null;
}

/** The person looks at files that were changed after text from outside was read. */
export interface ReviewConsentRequest extends Asked {
  readonly kind: 'review';
  readonly review: readonly DiffPreview[];
  /** Hash of the files as they are shown: the answer holds for exactly this. */
  readonly boundTo: string;
}

/** What an MCP server says of its tools, where nobody has seen it yet. */
export interface DefinitionsConsentRequest extends Asked {
  readonly kind: 'definitions';
  /** As config.json names it. */
  readonly server: string;
  readonly changes: readonly DefinitionChange[];
  /** Nothing of this server was seen before. */
  readonly isFirst: boolean;
}

export type ConsentAnswer =
  /** `stopsAsking`: no question of this kind any more until the window is closed; only where that was offered. */
  | {
      readonly answer: 'allow';
      readonly scope: 'once';
      readonly by: 'user' | 'flag';
      readonly stopsAsking?: true;
      readonly reason?: DecisionReason;
      /** The command is given the variables that are withheld from others. */
      readonly passesVariables?: boolean;
      /** Of like calls, indices of those that are allowed; the others are declined. Absent: all. */
      readonly calls?: readonly number[];
    }
  /** Allow, and the person has looked at what `review` shows. */
  | { readonly answer: 'allow'; readonly scope: 'reviewed'; readonly by: 'user' }
  /** Allow, and keep one of the offered rules. */
  | {
      readonly answer: 'allow';
      readonly scope: KeptFor;
      readonly rule: RuleDraft;
      readonly by: 'user';
    }
  /** `word`: for the model. `reason`: for the record, where nobody was asked. */
  | {
      readonly answer: 'deny';
      readonly by: 'user' | 'flag' | 'default';
      readonly word?: string;
      readonly reason?: DecisionReason;
    };

export interface ConsentPort {
  /** The surface shows like calls of one message together, each to be allowed or not. Absent: it asks about one at a time. */
  readonly asksTogether?: boolean;
  /** Rejects only with the signal's reason when aborted; then the request vanishes from the surface. */
  ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer>;
}
