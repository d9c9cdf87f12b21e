import type { QuestionKind } from '../../../src-preload/contract/consent.ts';
import type { DecisionReason, KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { NoOfferReason } from '../../../src-preload/contract/no-rule-reason.ts';
import type { FormField } from '../mcp/form.ts';
import type { RuleDraft } from '../rules.ts';
import type { QuestionPart } from './question-parts.ts';

/**
 * One question to the user: everything to show, and every possible answer. Surfaces only draw it and decide nothing.
 * Untrusted content is unchanged; a surface makes it visible (`base/text.ts`) when it shows it.
 */
export interface ConsentQuestion {
  readonly id: string;
  readonly kind: QuestionKind;
  /** What allowing would do, written as a question. It may contain an untrusted name. */
  readonly title: string;
  readonly reason: DecisionReason;
  /** The tool that would be called, or null if there is none. */
  readonly tool: string | null;
  /** The conversation of the question, or null if it belongs to none. */
  readonly conversationId: string | null;
  /** Everything to read before answering. A surface may sort it by kind. */
  readonly parts: readonly QuestionPart[];
  /** The rules that can be added when allowing, the narrowest first. */
  readonly offers: readonly RuleOffer[];
  /** The question is only about reading from a web address. Allowing covers that address, and a rule its host. */
  readonly isAddress?: true;
  /**
   * The question shows the reverse of what the user was shown and allowed in this session, so it need not be read to
   * its end again.
   */
  readonly wasShown?: true;
  /** Whether the withheld variables can be passed to the command. */
  readonly mayPassVariables: boolean;
  /** Whether denying can include feedback: there is a model to receive it. */
  readonly takesWord: boolean;
  /** Whether allowing can end questions of this kind until the window is closed. */
  readonly mayStopAsking?: true;
  /** A form that is filled in before accepting. Its texts are untrusted. */
  readonly fields?: readonly FormField[];
  /** The host of the address in question, which is shown large. */
  readonly host?: string;
  /** The address was already opened. Accepting means that the user is done there. */
  readonly isOpened?: true;
  /** Whether allowing can cover the server for the rest of the conversation. */
  readonly mayAllowServer?: true;
  /** The number of files that are shown for review and that the user can confirm. It is 0 if there are none. */
  readonly reviews: number;
  /** With `grave`, the consequences are too serious to agree to in passing. */
  readonly risk: 'plain' | 'grave';
  /** Why no rule is offered for the call. Null if one is, or if the question is not about a call. */
  readonly noRule: NoOfferReason | null;
  /** The similar calls that can be allowed individually. Empty if the question is about one thing. */
  readonly calls: readonly QuestionCall[];
}

/** One of several similar calls. Parts shared by all of them are in the question instead. */
export interface QuestionCall {
  /** What tells it from the others. Untrusted. */
  readonly name: string;
  readonly parts: readonly QuestionPart[];
}

export interface RuleOffer {
  /** The label of this rule is exact, written for people, and untrusted. */
  readonly rule: RuleDraft;
  /** What Steward would no longer ask about, in plain words. Untrusted names in it are quoted. */
  readonly words: string;
  /** What the rule allows and what it doesn't, one sentence each, if the words can't say it. */
  readonly explanation?: readonly string[];
  /** How long the rule can apply. */
  readonly keepFor: readonly KeptFor[];
}

/**
 * Whether a running call, or mail of an earlier one, waits for the question: it can be postponed, and stopping the turn
 * cancels a call's.
 */
export function isOfCall({ kind, conversationId }: Pick<ConsentQuestion, 'kind' | 'conversationId'>): boolean {
  return conversationId !== null && ASKED_BY[kind] === 'call';
}

/** Whether the question is about something the user just did, not from a call, a server or another program. */
export function isOfUser({ kind }: Pick<ConsentQuestion, 'kind'>): boolean {
  return ASKED_BY[kind] === 'user';
}

const ASKED_BY: Readonly<Record<ConsentQuestion['kind'], 'call' | 'user' | 'program'>> = {
  tool: 'call',
  mail: 'call',
  form: 'call',
  'server-link': 'call',
  sampling: 'call',
  grant: 'user',
  undo: 'user',
  redo: 'user',
  message: 'user',
  link: 'user',
  review: 'user',
  pairing: 'program',
};

/** What a question has that is not about a call. */
export const NO_CALL = { risk: 'plain', noRule: null, calls: [] } as const;
