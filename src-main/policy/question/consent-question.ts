import type { DecisionReason, KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { NoOfferReason } from '../../../src-preload/contract/no-rule-reason.ts';
import type { FormField } from '../mcp/form.ts';
import type { RuleDraft } from '../rules.ts';
import type { QuestionPart } from './question-parts.ts';

/**
 * One question to a person: everything that is to be said, and every answer there can be. Each surface draws it in its own way and
 * decides nothing. Untrusted content in it is as it came; a surface makes it visible (`base/text.ts`) where it writes it.
 */
export interface ConsentQuestion {
  readonly id: string;
  readonly kind: 'tool' | 'grant' | 'undo' | 'message' | 'link' | 'review' | 'form' | 'server-link' | 'sampling';
  /** What a yes would do, as a question. May hold an untrusted name. */
  readonly title: string;
  readonly reason: DecisionReason;
  /** Name of the tool that is to be called; `null`: none is. */
  readonly tool: string | null;
  /** `null`: outside any conversation. */
  readonly conversationId: string | null;
  /** What is to be read before answering, complete. A surface may order it by kind. */
  readonly parts: readonly QuestionPart[];
  /** Rules that a yes may keep, narrowest first. */
  readonly offers: readonly RuleOffer[];
  /** All that is asked is to read from a web address: a yes is one to that address, a rule one to its host. */
  readonly isAddress?: true;
  /** Whether a yes may pass the command what is withheld from it. */
  readonly mayPassVariables: boolean;
  /** Whether a no may carry a word: there is a model that would be told. */
  readonly takesWord: boolean;
  /** Whether a yes may end questions of this kind until the window is closed. */
  readonly mayStopAsking?: true;
  /** A form to be filled in before a yes. Its texts are untrusted. */
  readonly fields?: readonly FormField[];
  /** An address of which this is the host, to be shown large. */
  readonly host?: string;
  /** The address was opened before: a yes says that the person is done there. */
  readonly isOpened?: true;
  /** Whether a yes may count for the server in the rest of the conversation. */
  readonly mayAllowServer?: true;
  /** Files of which a yes may say that the person has looked at them; 0: none are shown. */
  readonly reviews: number;
  /** `grave`: a yes would bring about something that nobody should agree to in passing. */
  readonly risk: 'plain' | 'grave';
  /** Why no rule is offered for the call; `null`: one is, or it is no call. */
  readonly noRule: NoOfferReason | null;
  /** Like calls of which each may be allowed or not; none: what is asked is one thing. */
  readonly calls: readonly QuestionCall[];
}

/** One of several like calls. Its parts are complete, but for those that the question has for all of them. */
export interface QuestionCall {
  /** What tells it from the others. Untrusted. */
  readonly name: string;
  readonly parts: readonly QuestionPart[];
}

export interface RuleOffer {
  /** Its label is for people, exact, and untrusted. */
  readonly rule: RuleDraft;
  /** What would not be asked about any more, as a person would say it. Untrusted names in it are quoted. */
  readonly words: string;
  /** For how long it may be kept. */
  readonly keepFor: readonly KeptFor[];
}

/** A question that a running call waits for: it can be put off, and ends when its turn is stopped. */
export function isOfCall({ kind, conversationId }: Pick<ConsentQuestion, 'kind' | 'conversationId'>): boolean {
  return conversationId !== null && OF_CALLS.has(kind);
}

/** What comes from a call or a server, not from something that the person has just done. */
export function isOfPerson({ kind }: Pick<ConsentQuestion, 'kind'>): boolean {
  return !OF_CALLS.has(kind);
}

const OF_CALLS: ReadonlySet<ConsentQuestion['kind']> = new Set(['tool', 'form', 'server-link', 'sampling']);

/** Of what is no call. */
export const NO_CALL = { risk: 'plain', noRule: null, calls: [] } as const;
