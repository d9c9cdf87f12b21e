import { z } from 'zod';
import type { KeptFor } from './decision-reason.ts';
import { request } from './route.ts';

/** A line of a unified diff, without the sign that says its kind. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

export interface NamedValue {
  readonly name: string;
  readonly text: string;
}

/** A run of words that stayed, came or went. */
export interface WordPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Drawn in the order in which they come, each under its title. */
export type CardPart = { readonly title: string } & (
  | { readonly kind: 'read'; readonly sources: readonly string[] }
  | { readonly kind: 'touches'; readonly accesses: readonly { readonly class: string; readonly text: string }[] }
  /** What a yes would bring about, the gravest first; `steps`: of a longer command, those that bring about something grave. */
  | {
      readonly kind: 'consequences';
      readonly consequences: readonly { readonly text: string; readonly isGrave: boolean }[];
      readonly steps: readonly string[];
    }
  /** `steps`: all of the line, in its order, each with the operator before it. */
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly steps: readonly { readonly text: string; readonly isGrave: boolean }[];
      readonly directory: string;
    }
  /** Why the model wants this, in its words. */
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  | { readonly kind: 'diff'; readonly path: string; readonly note: string | null; readonly lines: readonly DiffLine[] }
  /** A text of a server; `added` and `removed`: what is different from what was accepted. */
  | { readonly kind: 'words'; readonly name: string; readonly pieces: readonly WordPiece[] }
  | { readonly kind: 'text'; readonly text: string }
  /** `derived`: those that the other parts say already, or that are the tool's default. They may be folded away, and nothing else. */
  | { readonly kind: 'arguments'; readonly values: readonly NamedValue[]; readonly derived: readonly NamedValue[] }
  /** The value that would take effect, and the one that does now. */
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly text: string;
      readonly standing: { readonly title: string; readonly text: string } | null;
    }
);

/**
 * One question as it is drawn, complete: nothing that the answer depends on is left out or shortened, and no character in it hides
 * or reorders text. Made in src-main/ipc/consent/consent-card.ts.
 */
export interface ConsentCard {
  readonly id: string;
  readonly kind: 'tool' | 'grant' | 'undo' | 'message' | 'link' | 'review';
  readonly title: string;
  /** Names the rule that decided that this asks. */
  readonly reason: string;
  readonly tool: string | null;
  readonly parts: readonly CardPart[];
  /** Rules that could be kept, and for how long; none where nothing but once must be offered. */
  readonly offers: readonly CardOffer[];
  /** Why there is none; `null`: there is one, or what is asked is no call. */
  readonly noRule: string | null;
  /** `grave`: a yes would bring about something that nobody should agree to in passing. */
  readonly risk: 'plain' | 'grave';
  /** Like calls, each of which may be allowed or not; none: what is asked is one thing. */
  readonly calls: readonly CardCall[];
  /** A yes is one to a web address, and a rule one to its host. */
  readonly isAddress?: true;
  /** A yes may pass the command what is withheld from it. */
  readonly mayPassVariables: boolean;
  /** A no may carry a word to the model. */
  readonly takesWord: boolean;
  /** A yes may end such questions until the window is closed. */
  readonly mayStopAsking: boolean;
  /** Files of which a yes may say that the person has looked at them; 0: none are shown. */
  readonly reviews: number;
  readonly conversationTitle: string | null;
}

export interface CardOffer {
  /** What would not be asked about any more, in words for a person. */
  readonly label: string;
  /** The exact rule. */
  readonly detail: string;
  readonly keepFor: readonly KeptFor[];
}

/** One of several like calls: what tells it from the others, and its parts. */
export interface CardCall {
  readonly name: string;
  readonly parts: readonly CardPart[];
}

/** `docked`: above the composer. `enlarged`: over the whole window, because the person wants it so. `sheet`: there, because it has to be. */
export type ConsentSize = 'docked' | 'enlarged' | 'sheet';

/** What waits for an answer in one conversation. */
export interface PendingQuestions {
  /** `null`: of no conversation. */
  readonly conversationId: string | null;
  readonly count: number;
  /** The first of them is put off. */
  readonly isPutOff: boolean;
}

export interface ConsentState {
  /** The card that is shown. */
  readonly card: ConsentCard | null;
  /** Id of a question whose card is still being laid out: it can be denied, and nothing else. */
  readonly preparing: string | null;
  /** How many questions of the same conversation wait behind it. */
  readonly waiting: number;
  readonly size: ConsentSize;
  /** Goes up whenever what is shown appeared or moved: answers count half a second after. */
  readonly appearance: number;
  /** It is a tool call's: it may be put off, and the turn be stopped. */
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
        /** Of like calls, those that are allowed, by index; needed where the card has some, and nowhere else. */
        calls: z.array(z.int().min(0)).max(100).optional(),
      }),
      z.object({ id: QuestionId, answer: z.literal('window') }),
      z.object({ id: QuestionId, answer: z.literal('reviewed') }),
      z.object({ id: QuestionId, answer: z.literal('conversation'), offer: z.int().min(0) }),
      z.object({ id: QuestionId, answer: z.literal('always'), offer: z.int().min(0) }),
      z.object({ id: QuestionId, answer: z.literal('deny'), word: z.string().max(2000).default('') }),
    ]),
  ).returns<ConsentState>(),
  /** *Later*: the question waits, out of sight, until the person comes back to it. */
  putOff: request(z.object({ id: QuestionId })).returns<ConsentState>(),
  /** Stops the turn that asks. */
  stop: request(z.object({ id: QuestionId })).returns<ConsentState>(),
  /** Over the whole window, or docked again. */
  enlarge: request(z.object({ id: QuestionId, isEnlarged: z.boolean() })).returns<ConsentState>(),
  /** How high the question is when nothing of it scrolls, in CSS pixels of the page. */
  measured: request(z.object({ id: QuestionId, height: z.number().min(0).max(100_000) })).returns<null>(),
};
