import type { UndoConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

const TITLES = { turn: 'Undo this turn?', call: 'Undo this change?', redo: 'Make these changes again?' } as const;

/** Asks whether these files may be restored, or changed again. */
export function undoQuestion(request: UndoConsentRequest): ConsentQuestion {
  const { id, reason, subject, conversationId, previews, refused, wasShown } = request;
  const parts: QuestionPart[] = [...previews];
  if (refused.length > 0) parts.push({ kind: 'stays', refused });
  return {
    id,
    kind: subject === 'redo' ? 'redo' : 'undo',
    title: TITLES[subject],
    reason,
    tool: null,
    conversationId,
    ...(wasShown === undefined ? {} : { wasShown }),
    parts,
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}
