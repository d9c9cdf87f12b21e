import type { KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { EnteredValue } from '../../../src-preload/contract/form.ts';
import type { McpClass } from '../access.ts';
import type { ConsentAnswer } from '../consent.ts';
import { formContent } from '../mcp/form.ts';
import type { ConsentQuestion } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

/** What a person chose, on whatever surface. */
export type GivenAnswer =
  /** `passesVariables`: the command gets what is withheld from others. `calls`: which of several, by index; all are meant by none. */
  | {
      readonly answer: 'once';
      readonly passesVariables?: boolean;
      readonly calls?: readonly number[] | undefined;
      /** `part`: index of what says which tool is meant. */
      readonly classes?: readonly { readonly part: number; readonly class: McpClass | null }[] | undefined;
    }
  /** Yes, and no such question until the window is closed. */
  | { readonly answer: 'window' }
  /** Yes, and the person has looked at the files that are shown. */
  | { readonly answer: 'reviewed' }
  /** `offer`: index of the rule in `offers`. */
  | { readonly answer: KeptFor; readonly offer: number }
  /** What stands in the fields of a form, in their order. */
  | { readonly answer: 'form'; readonly entered: readonly EnteredValue[] }
  /** Yes, and for the server in the rest of the conversation. */
  | { readonly answer: 'server' }
  /** Neither yes nor no to a server. */
  | { readonly answer: 'cancel' }
  | { readonly answer: 'deny'; readonly word: string };

/** What it comes to; `undefined`: the question does not offer that, and nothing is answered. */
export function answerTo(question: ConsentQuestion, given: GivenAnswer): ConsentAnswer | undefined {
  const { kind, parts, offers, mayPassVariables, takesWord, mayStopAsking, reviews, calls, fields, mayAllowServer } =
    question;
  switch (given.answer) {
    case 'form': {
      const content = fields === undefined ? undefined : formContent(fields, given.entered);
      return content === undefined ? undefined : { answer: 'allow', scope: 'once', by: 'user', content };
    }
    case 'server':
      return mayAllowServer ? { answer: 'allow', scope: 'once', by: 'user', forServer: true } : undefined;
    case 'cancel':
      return fields === undefined ? undefined : { answer: 'deny', by: 'user', isCancelled: true };
    case 'reviewed':
      return reviews === 0 ? undefined : { answer: 'allow', scope: 'reviewed', by: 'user' };
    case 'once':
      if (kind === 'review' || fields !== undefined || !areTicks(given.calls, calls.length)) return undefined;
      if (given.classes !== undefined && given.classes.length > 0) {
        const classes = chosenClasses(given.classes, parts);
        return classes === undefined ? undefined : { answer: 'allow', scope: 'once', by: 'user', classes };
      }
      if (given.calls !== undefined) return { answer: 'allow', scope: 'once', by: 'user', calls: given.calls };
      if (given.passesVariables !== true) return { answer: 'allow', scope: 'once', by: 'user' };
      return mayPassVariables ? { answer: 'allow', scope: 'once', by: 'user', passesVariables: true } : undefined;
    case 'window':
      return mayStopAsking ? { answer: 'allow', scope: 'once', by: 'user', stopsAsking: true } : undefined;
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

/** Whoever is shown several says which; each of them is one that was shown, and none is named twice. */
function areTicks(ticked: readonly number[] | undefined, shown: number): boolean {
  if (ticked === undefined) return shown === 0;
  const isShown = (index: number) => Number.isInteger(index) && index >= 0 && index < shown;
  return ticked.length > 0 && ticked.every(isShown) && new Set(ticked).size === ticked.length;
}

/** By the tool's name; `undefined`: one of them was not offered, or is named twice. */
function chosenClasses(
  chosen: readonly { readonly part: number; readonly class: McpClass | null }[],
  parts: readonly QuestionPart[],
): Readonly<Record<string, McpClass | null>> | undefined {
  const entries = chosen.flatMap(({ part: index, class: given }): [string, McpClass | null][] => {
    const part = parts[index];
    return part?.kind === 'definition' && part.choice !== undefined ? [[part.name, given]] : [];
  });
  const isOffered = entries.length === chosen.length && new Set(entries.map(([name]) => name)).size === entries.length;
  return isOffered ? Object.fromEntries(entries) : undefined;
}
