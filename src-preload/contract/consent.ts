import { z } from 'zod';
import { request } from './route.ts';

/** A diff line as it is drawn. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

export type CardPart =
  | { readonly kind: 'argument'; readonly name: string; readonly text: string }
  | { readonly kind: 'access'; readonly text: string; readonly class: string }
  | { readonly kind: 'diff'; readonly path: string; readonly note: string | null; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'command'; readonly line: string; readonly directory: string }
  | { readonly kind: 'text'; readonly title: string; readonly text: string };

/** One question, complete: nothing that the answer depends on is left out or shortened. */
export interface ConsentCard {
  readonly id: string;
  readonly kind: 'tool' | 'grant' | 'undo';
  readonly title: string;
  /** Names the rule that decided that this asks. */
  readonly reason: string;
  readonly tool: string | null;
  readonly parts: readonly CardPart[];
  /** What was read in this conversation, where that is why it is asked. */
  readonly marks: readonly string[];
  /** Labels of the rules that could be kept; empty where "always" must not be offered. */
  readonly offers: readonly string[];
  readonly conversationTitle: string | null;
}

export interface ConsentState {
  /** The card that is shown, and how many wait behind it. */
  readonly card: ConsentCard | null;
  readonly waiting: number;
  readonly theme: 'system' | 'light' | 'dark';
}

/** Only the consent surface may use these. */
export const consent = {
  state: request(z.object({})).returns<ConsentState>(),
  answer: request(
    z.discriminatedUnion('answer', [
      z.object({ id: z.string().max(100), answer: z.literal('once') }),
      z.object({ id: z.string().max(100), answer: z.literal('conversation'), offer: z.int().min(0) }),
      z.object({ id: z.string().max(100), answer: z.literal('always'), offer: z.int().min(0) }),
      z.object({ id: z.string().max(100), answer: z.literal('deny'), word: z.string().max(2000).default('') }),
    ]),
  ).returns<ConsentState>(),
};
