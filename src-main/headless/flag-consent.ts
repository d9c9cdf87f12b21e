import type { ApproveFlag } from '../../src-preload/contract/decision-reason.ts';
import type { AccessClass } from '../policy/access.ts';
import { kindOf } from '../policy/accesses/access-kinds.ts';
import type {
  ConsentAnswer,
  ConsentPort,
  ConsentRequest,
  FormConsentRequest,
  GrantConsentRequest,
} from '../policy/consent.ts';
import { defaultContent } from '../policy/mcp/form.ts';
import { grantSubject } from '../policy/question/grant-subjects.ts';

/** Answers for a user who gave `--approve`. Source: design section 7 ("Ask", "Profile"). */
export function flagConsent(flag: ApproveFlag): ConsentPort {
  return {
    ask: async (request, signal) => {
      signal.throwIfAborted();
      if (request.kind === 'form' && flag === 'all') return formByDefaults(request);
      const allowed = flag === 'all' ? isAllowedByAll(request) : flag === 'reads' && isRead(request);
      if (allowed) return { answer: 'allow', scope: 'once', by: 'flag', reason: { code: 'flag_allows', flag } };
      return { answer: 'deny', by: 'flag', reason: { code: 'flag_denies', flag, asked: request.reason } };
    },
  };
}

/** `--sign-in` consents to signing in where no one can be asked; the address is printed with its purpose. */
export function signInConsent(consent: ConsentPort): ConsentPort {
  return {
    ask: async (request, signal) => {
      if (request.kind !== 'grant' || grantSubject(request.subject).approvedBy !== 'all_or_sign_in')
        return consent.ask(request, signal);
      signal.throwIfAborted();
      return { answer: 'allow', scope: 'once', by: 'flag' };
    },
  };
}

/** A form is sent with the server's defaults if they are sufficient; no values are made up. */
function formByDefaults({ fields }: FormConsentRequest): ConsentAnswer {
  const content = defaultContent(fields);
  if (content === undefined)
    return { answer: 'deny', by: 'flag', isCancelled: true, reason: { code: 'form_incomplete' } };
  return { answer: 'allow', scope: 'once', by: 'flag', reason: { code: 'flag_allows', flag: 'all' }, content };
}

/** On a terminal, addresses from servers are opened only with `--sign-in`, whatever answers other questions. */
export function withoutBrowser(consent: ConsentPort): ConsentPort {
  return {
    ask: async (request, signal) => {
      if (request.kind !== 'server-link') return consent.ask(request, signal);
      signal.throwIfAborted();
      return { answer: 'deny', by: 'default', reason: { code: 'sign_in_not_given' } };
    },
  };
}

/** If there is neither a flag nor a terminal, nobody can be asked. */
export function unattendedConsent(): ConsentPort {
  return {
    ask: async (request, signal): Promise<ConsentAnswer> => {
      signal.throwIfAborted();
      return { answer: 'deny', by: 'default', reason: { code: 'nobody_asked', asked: request.reason } };
    },
  };
}

/** Whether `--approve all` allows this: "It never widens roots." Source: design section 7 ("Ask"). */
function isAllowedByAll(request: ConsentRequest): boolean {
  switch (request.kind) {
    case 'tool':
    case 'tools':
    case 'undo':
    case 'message':
    case 'link':
    case 'server-link':
    case 'sampling':
      return true;
    case 'grant':
      return isGrantAllowedByAll(request);
    // Only a user can review a change.
    case 'definitions':
      return request.isFirst;
    // Only a user can review something.
    case 'review':
      return false;
    // Only a user can look whether it was sent.
    case 'mail':
      return false;
    // Only a user at the window knows which program they started.
    case 'pairing':
      return false;
    // Only its own defaults can fill it in.
    case 'form':
      return false;
  }
}

function isGrantAllowedByAll({ subject, atFirstSight }: GrantConsentRequest): boolean {
  switch (grantSubject(subject).approvedBy) {
    case 'all':
    case 'all_or_sign_in':
      return true;
    case 'all_at_first_sight':
      return atFirstSight === true;
  }
}

const READ_CLASSES: ReadonlySet<AccessClass> = new Set(['read', 'network']);

/** `reads` is meant for files and pages; showing a secret to a model takes an explicit yes. */
function isRead(request: ConsentRequest): boolean {
  if (request.kind !== 'tool' || request.classes.length === 0) return false;
  const isCovered = request.access.every((access) => kindOf(access).leastFlag(access) === 'reads');
  return isCovered && request.classes.every((it) => READ_CLASSES.has(it));
}
