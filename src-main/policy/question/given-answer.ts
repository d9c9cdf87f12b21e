import type { KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import type { EnteredValue } from '../../../src-preload/contract/form.ts';
import type { ConsentAnswer } from '../consent.ts';
import { formContent } from '../mcp/form.ts';
import type { McpClass } from '../mcp/mcp-class.ts';
import type { ConsentQuestion } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

/** A choice that the user made on any surface. */
export type GivenAnswer =
  /**
   * With `passesVariables`, the command gets the withheld variables. `calls` has the indices of the chosen calls.
   * Without it, all of them are chosen.
   */
  | {
      readonly answer: 'once';
      readonly passesVariables?: boolean;
      readonly calls?: readonly number[] | undefined;
      /** `part` is the index of the part that shows the tool. */
      readonly classes?: readonly { readonly part: number; readonly class: McpClass | null }[] | undefined;
    }
  /** Allows, and ends such questions until the window is closed. */
  | { readonly answer: 'window' }
  /** Allows, and confirms that the user has reviewed the files shown. */
  | { readonly answer: 'reviewed' }
  /** `offer` is the index of the rule in `offers`. */
  | { readonly answer: KeptFor; readonly offer: number }
  /** The values of a form's fields, in order. */
  | { readonly answer: 'form'; readonly entered: readonly EnteredValue[] }
  /** Allows, and covers this server for the rest of the conversation. */
  | { readonly answer: 'server' }
  /** Neither accepts nor declines what a server requests. */
  | { readonly answer: 'cancel' }
  | { readonly answer: 'deny'; readonly word: string };

/**
 * The answer that a choice means. Undefined if the question does not offer that choice, which then answers nothing: a
 * page that was taken over can't answer `always` where only `once` was shown.
 */
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
    case 'week':
    case 'always': {
      const offer = offers[given.offer];
      if (offer === undefined || !offer.keepFor.includes(given.answer)) return undefined;
      return { answer: 'allow', scope: given.answer, rule: offer.rule, by: 'user' };
    }
  }
}

/**
 * Whether these are the indices of calls that were shown, each at most once. Several calls need them, so that nothing
 * is allowed by leaving them out.
 */
function areTicks(ticked: readonly number[] | undefined, shown: number): boolean {
  if (ticked === undefined) return shown === 0;
  const isShown = (index: number) => Number.isInteger(index) && index >= 0 && index < shown;
  return ticked.length > 0 && ticked.every(isShown) && new Set(ticked).size === ticked.length;
}

/** The classes by the name of the tool. Undefined if one was not offered or is given twice. */
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
