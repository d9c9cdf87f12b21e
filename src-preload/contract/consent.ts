import { z } from 'zod';
import type { KeptFor } from './decision-reason.ts';
import { type EnteredValue, type FieldRules, MAX_ENTRY_LENGTH } from './form.ts';
import { request } from './route.ts';
import { ToolClass } from './tool-class.ts';

/** A line of a unified diff, without its leading sign. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

export interface NamedValue {
  readonly name: string;
  readonly text: string;
}

/** A run of words that is unchanged, added or removed. */
export interface WordPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Parts are drawn in this order, each under its title. A part with `isNew` was different on the last card of its kind
 * that the user allowed.
 */
export type CardPart = {
  readonly title: string;
  readonly isNew?: true;
} /** `outside` lists those of them from which text from outside came, but no note did. */ & (
  | { readonly kind: 'read'; readonly sources: readonly string[]; readonly outside: readonly string[] }
  | { readonly kind: 'touches'; readonly accesses: readonly { readonly class: string; readonly text: string }[] }
  /**
   * The consequences of allowing it, gravest first. `isUsual` is set if nearly every question of its kind has that
   * consequence. For a longer command, `steps` are those with grave consequences.
   */
  | {
      readonly kind: 'consequences';
      readonly consequences: readonly { readonly text: string; readonly isGrave: boolean; readonly isUsual: boolean }[];
      readonly steps: readonly string[];
    }
  /** `steps` is the whole line in order, each step with the operator before it. */
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly steps: readonly { readonly text: string; readonly isGrave: boolean; readonly isNew?: boolean }[];
      readonly directory: string;
    }
  /** Why the model wants this, in its words. */
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  /** `isEarlier` is set if the file was changed before and needs a review. */
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly note: string | null;
      readonly lines: readonly DiffLine[];
      readonly isEarlier?: true;
    }
  | CardDefinition
  /** A warning before a rule is added: shown with the rules. */
  | { readonly kind: 'caution'; readonly text: string }
  /** Steward's own words. */
  | { readonly kind: 'note'; readonly text: string }
  /**
   * `isShort` text usually has one line and is shown beside its title. `isBody` is the text of a mail, which needs no
   * title.
   */
  | { readonly kind: 'text'; readonly text: string; readonly isShort?: true; readonly isBody?: true }
  /**
   * `derived` are arguments that other parts already show, or that are the tool's default. Only these may be folded.
   */
  | { readonly kind: 'arguments'; readonly values: readonly NamedValue[]; readonly derived: readonly NamedValue[] }
  /** The new value and the current one. */
  | {
      readonly kind: 'value';
      readonly text: string;
      readonly standing: { readonly title: string; readonly text: string } | null;
    }
);

/** What a server says of a tool, or its instructions, in a review. */
export interface CardDefinition {
  readonly kind: 'definition';
  readonly of: 'tool' | 'instructions';
  readonly name: string;
  /** Accepted before; `pieces` then shows what is different now. */
  readonly isChanged: boolean;
  /** The whole description or the whole instructions. */
  readonly text: string;
  /** The first sentences of the text, or all of it unless it is long. */
  readonly summary: string;
  readonly parameters: readonly CardParameter[];
  /** Everything that is accepted. */
  readonly pieces: readonly WordPiece[];
  /** What could mislead a model: it has to be looked at. */
  readonly findings: readonly { readonly text: string; readonly excerpt: string }[];
  /** The user may choose the tool's class. */
  readonly choice?: CardChoice;
}

export interface CardParameter {
  readonly name: string;
  /** The type in words: `text`, `list of text`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The choice of a tool's class, or null if there is none. */
export interface CardChoice {
  /** The index of this part in the answer. */
  readonly part: number;
  readonly given: ToolClass | null;
  /** The server's claim. */
  readonly claim: ToolClass | null;
  /** What is shown at first. */
  readonly preset: ToolClass | null;
}

/** What a question is about. */
export type QuestionKind =
  | 'tool'
  | 'grant'
  | 'undo'
  | 'redo'
  | 'mail'
  | 'message'
  | 'link'
  | 'review'
  | 'form'
  | 'server-link'
  | 'sampling'
  | 'pairing';

/**
 * One question as drawn, complete: nothing that the answer depends on is left out or shortened, and no character in it
 * hides or reorders text. Made in src-main/ipc/consent/consent-card.ts.
 */
export interface ConsentCard {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly title: string;
  /** Says why Steward asks. */
  readonly reason: string;
  /** What is odd about a call, in one line. Absent if nothing is, or if the question is not about a call. */
  readonly why?: string;
  readonly tool: string | null;
  readonly parts: readonly CardPart[];
  /** The rules that can be added, and for how long. Empty if it can only be allowed once. */
  readonly offers: readonly CardOffer[];
  /** Why no rule is offered. Null if one is, or if the question is not about a call. */
  readonly noRule: string | null;
  /** With `grave`, the consequences are too serious to agree to in passing. */
  readonly risk: 'plain' | 'grave';
  /**
   * It is grave only because it reaches people. It is guarded like any other, but an ordinary mail must not look like a
   * deletion.
   */
  readonly isForPeople?: true;
  /** A grave one of its kind was allowed before, and the differences are marked. */
  readonly comparesWithLast?: true;
  /** Similar calls that can be allowed individually. Empty if the question is about one thing. */
  readonly calls: readonly CardCall[];
  /** The question is about a web address, and a rule would cover its host. */
  readonly isAddress?: true;
  /** The user saw these changes before, and need not read them to their end again. */
  readonly wasShown?: true;
  /** The user may pass the withheld variables to the command. */
  readonly mayPassVariables: boolean;
  /** A form to fill in before it can be accepted. */
  readonly fields?: readonly CardField[];
  /** Host of the address, to be shown large. */
  readonly host?: string;
  /** The address was opened: the user confirms when they are done there. */
  readonly isOpened?: true;
  /** Allowing can cover this server for the rest of the conversation. */
  readonly mayAllowServer?: true;
  /** A denial may include feedback to the model. */
  readonly takesWord: boolean;
  /** The user may stop such questions until the window is closed. */
  readonly mayStopAsking: boolean;
  /** Number of files that the answer can mark as reviewed; 0: none are shown. */
  readonly reviews: number;
  readonly conversationTitle: string | null;
}

/** One field of a server's form, with its texts made visible. */
export interface CardField {
  readonly title: string;
  readonly description: string;
  readonly rules: FieldRules;
  /** The titles of a choice, in order. */
  readonly options: readonly string[];
  readonly initial: EnteredValue;
  readonly looksSecret: boolean;
}

export interface CardOffer {
  /** What Steward would no longer ask about, for people. */
  readonly label: string;
  /** The exact rule. */
  readonly detail: string;
  /** What the rule allows and what it doesn't, one sentence each, if the label can't say it. */
  readonly explanation?: readonly string[];
  readonly keepFor: readonly KeptFor[];
}

/** One of several similar calls: what distinguishes it from the others, and its parts. */
export interface CardCall {
  readonly name: string;
  readonly parts: readonly CardPart[];
}

/**
 * A `docked` question is above the composer. An `enlarged` one covers the whole window because the user wanted that, a
 * `sheet` because it does not fit or belongs to no conversation.
 */
export type ConsentSize = 'docked' | 'enlarged' | 'sheet';

/** The open questions of one conversation. */
export interface PendingQuestions {
  /** Null if the question belongs to no conversation. */
  readonly conversationId: string | null;
  readonly count: number;
  /** The first of them is postponed. */
  readonly isPutOff: boolean;
}

export interface ConsentState {
  /** The card that is shown. */
  readonly card: ConsentCard | null;
  /** Id of a question whose card is still being laid out: it can only be denied. */
  readonly preparing: string | null;
  /** How many more questions of the same conversation are waiting. */
  readonly waiting: number;
  readonly size: ConsentSize;
  /** Incremented whenever the question appears or moves: answers count only half a second later. */
  readonly appearance: number;
  /** The question is about a tool call, so it can be postponed, and the turn can be stopped. */
  readonly isOfCall: boolean;
  readonly theme: 'system' | 'light' | 'dark';
}

const QuestionId = z.string().max(100);

/** Only the consent surface may use these. */
export const consent = {
  state: request(z.object({})).returns<ConsentState>(),
  answer: request(
    z.discriminatedUnion('answer', [
      z.object({
        id: QuestionId,
        answer: z.literal('once'),
        passesVariables: z.boolean().default(false),
        /** Indices of the similar calls that are allowed; required if the card has some, otherwise absent. */
        calls: z.array(z.int().min(0)).max(100).optional(),
        /** The chosen classes, by `CardChoice.part`; unchanged ones are absent. */
        classes: z
          .array(z.object({ part: z.int().min(0), class: ToolClass.nullable() }))
          .max(10_000)
          .optional(),
      }),
      z.object({ id: QuestionId, answer: z.literal('window') }),
      z.object({ id: QuestionId, answer: z.literal('reviewed') }),
      z.object({ id: QuestionId, answer: z.enum(['conversation', 'week', 'always']), offer: z.int().min(0) }),
      z.object({
        id: QuestionId,
        answer: z.literal('form'),
        /** One value for each field, in the order of the form. */
        entered: z
          .array(z.union([z.string().max(MAX_ENTRY_LENGTH), z.boolean(), z.array(z.int().min(0)).max(1_000)]))
          .max(200),
      }),
      z.object({ id: QuestionId, answer: z.literal('server') }),
      z.object({ id: QuestionId, answer: z.literal('cancel') }),
      z.object({ id: QuestionId, answer: z.literal('deny'), word: z.string().max(2000).default('') }),
    ]),
  ).returns<ConsentState>(),
  /** *Later*: hides the question until the user comes back to it. */
  putOff: request(z.object({ id: QuestionId })).returns<ConsentState>(),
  /** Stops the turn that asks. */
  stop: request(z.object({ id: QuestionId })).returns<ConsentState>(),
  /** Enlarges the question to the whole window, or docks it again. */
  enlarge: request(z.object({ id: QuestionId, isEnlarged: z.boolean() })).returns<ConsentState>(),
  /** The height that the question needs to be shown without scrolling, in CSS pixels of the page. */
  measured: request(z.object({ id: QuestionId, height: z.number().min(0).max(100_000) })).returns<null>(),
};
