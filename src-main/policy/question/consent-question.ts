import type { DecisionReason, KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { NoOfferReason } from '../../../src-preload/contract/no-rule-reason.ts';
import type { FormField } from '../mcp/form.ts';
import type { RuleDraft } from '../rules.ts';
import type { QuestionPart } from './question-parts.ts';

/**
 * One question to the user: everything to show, and every possible answer. Surfaces only draw it and decide nothing. Untrusted
 * content is unchanged; a surface makes it visible (`base/text.ts`) when it shows it.
 */
export interface ConsentQuestion {
  readonly id: string;
  readonly kind: 'tool' | 'grant' | 'undo' | 'message' | 'link' | 'review' | 'form' | 'server-link' | 'sampling';
  /** What allowing would do, as a question. May contain an untrusted name. */
  readonly title: string;
  readonly reason: DecisionReason;
  /** The tool that would be called; `null` if there is none. */
  readonly tool: string | null;
  /** `null`: outside any conversation. */
  readonly conversationId: string | null;
  /** Everything to read before answering. A surface may sort it by kind. */
  readonly parts: readonly QuestionPart[];
  /** Rules that can be added when allowing, narrowest first. */
  readonly offers: readonly RuleOffer[];
  /** The question is only about reading from a web address: allowing covers that address, a rule its host. */
  readonly isAddress?: true;
  /** Whether the withheld variables can be passed to the command. */
  readonly mayPassVariables: boolean;
  /** Whether denying can include feedback: there is a model to receive it. */
  readonly takesWord: boolean;
  /** Whether allowing can end questions of this kind until the window is closed. */
  readonly mayStopAsking?: true;
  /** A form to fill in before accepting. Its texts are untrusted. */
  readonly fields?: readonly FormField[];
  /** The host of the address in question, to be shown large. */
  readonly host?: string;
  /** The address was already opened: accepting means that the user is done there. */
  readonly isOpened?: true;
  /** Whether allowing can cover the server for the rest of the conversation. */
  readonly mayAllowServer?: true;
  /** The number of files shown for review, which the user can confirm; 0 if none are shown. */
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
