import type { ConsentRequest } from '../consent.ts';
import { callQuestion, groupQuestion } from './call-question.ts';
import type { ConsentQuestion } from './consent-question.ts';
import { definitionsQuestion } from './definitions-question.ts';
import { formQuestion } from './form-question.ts';
import { grantQuestion } from './grant-question.ts';
import { linkQuestion } from './link-question.ts';
import { mailQuestion } from './mail-question.ts';
import { messageQuestion } from './message-question.ts';
import { pairingQuestion } from './pairing-question.ts';
import { reviewQuestion } from './review-question.ts';
import { samplingQuestion } from './sampling-question.ts';
import { serverLinkQuestion } from './server-link-question.ts';
import { undoQuestion } from './undo-question.ts';

/** The question for a request, which is the same on every surface. Pure. */
export function questionOf(request: ConsentRequest): ConsentQuestion {
  switch (request.kind) {
    case 'tool':
      return callQuestion(request);
    case 'tools':
      return groupQuestion(request);
    case 'grant':
      return grantQuestion(request);
    case 'definitions':
      return definitionsQuestion(request);
    case 'undo':
      return undoQuestion(request);
    case 'link':
      return linkQuestion(request);
    case 'mail':
      return mailQuestion(request);
    case 'message':
      return messageQuestion(request);
    case 'review':
      return reviewQuestion(request);
    case 'form':
      return formQuestion(request);
    case 'server-link':
      return serverLinkQuestion(request);
    case 'sampling':
      return samplingQuestion(request);
    case 'pairing':
      return pairingQuestion(request);
  }
}
