import type { KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { ConsentAnswer } from '../consent.ts';
import type { ConsentQuestion } from './consent-question.ts';

/** What a person chose, on whatever surface. */
export type GivenAnswer =
  /** `passesVariables`: the command gets what is withheld from others. */
  | { readonly answer: 'once'; readonly passesVariables?: boolean }
  /** `offer`: index of the rule in `offers`. */
  | { readonly answer: KeptFor; readonly offer: number }
  | { readonly answer: 'deny'; readonly word: string };

/** What it comes to; `undefined`: the question does not offer that, and nothing is answered. */
export function answerTo(
  { offers, mayPassVariables, takesWord }: ConsentQuestion,
  given: GivenAnswer,
): ConsentAnswer | undefined {
  switch (given.answer) {
    case 'once':
      if (given.passesVariables !== true) return { answer: 'allow', scope: 'once', by: 'user' };
      return mayPassVariables ? { answer: 'allow', scope: 'once', by: 'user', passesVariables: true } : undefined;
    case 'deny': {
      const isSaid = takesWord && given.word.trim() !== '';
      return { answer: 'deny', by: 'user', ...(isSaid ? { word: given.word } : {}) };
    }
    case 'conversation':
    case 'always': {
      const offer = offers[given.offer];
      if (offer === undefined || !offer.keepFor.includes(given.answer)) return undefined;
      return { answer: 'allow', scope: given.answer, rule: offer.rule, by: 'user' };
    }
  }
}
