import { z } from 'zod';
import type { KeptFor } from './decision-reason.ts';
import { request } from './route.ts';

/** A line of a unified diff, without the sign that says its kind. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

/** Drawn in the order in which they come, each under its title. */
export type CardPart = { readonly title: string } & (
  | { readonly kind: 'read'; readonly sources: readonly string[] }
  | { readonly kind: 'touches'; readonly accesses: readonly { readonly class: string; readonly text: string }[] }
  | { readonly kind: 'command'; readonly line: string; readonly directory: string }
  | { readonly kind: 'withheld'; readonly names: readonly string[] }
  | { readonly kind: 'diff'; readonly path: string; readonly note: string | null; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'arguments'; readonly values: readonly { readonly name: string; readonly text: string }[] }
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
  readonly offers: readonly { readonly label: string; readonly keepFor: readonly KeptFor[] }[];
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

export interface ConsentState {
  /** The card that is shown, and how many wait behind it. */
  readonly card: ConsentCard | null;
  /** Id of a question whose card is still being laid out: it can be denied, and nothing else. */
  readonly preparing: string | null;
  readonly waiting: number;
  readonly theme: 'system' | 'light' | 'dark';
}

/** Only the consent surface may use these. */
export const consent = {
  state: request(z.object({})).returns<ConsentState>(),
  answer: request(
    z.discriminatedUnion('answer', [
      z.object({ id: z.string().max(100), answer: z.literal('once'), passesVariables: z.boolean().default(false) }),
      z.object({ id: z.string().max(100), answer: z.literal('window') }),
      z.object({ id: z.string().max(100), answer: z.literal('reviewed') }),
      z.object({ id: z.string().max(100), answer: z.literal('conversation'), offer: z.int().min(0) }),
      z.object({ id: z.string().max(100), answer: z.literal('always'), offer: z.int().min(0) }),
      z.object({ id: z.string().max(100), answer: z.literal('deny'), word: z.string().max(2000).default('') }),
    ]),
  ).returns<ConsentState>(),
};
