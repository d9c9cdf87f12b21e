import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import type { GrantConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { valueText } from './question-parts.ts';

const TITLES: Readonly<Record<GrantSubject, string>> = {
  workspace: 'Work in this folder?',
  folder: 'Grant this folder?',
  endpoint: 'Use this address?',
  provider: 'Use this model provider?',
  'mcp-server': 'Use this server?',
  'mcp-classes': 'Treat these tools like this?',
  'mcp-text': 'Treat the text of this server like this?',
  'mcp-sign-in': 'Sign in to this server?',
  'mcp-sign-in-address': 'Contact this address to sign in?',
  rule: 'Add this rule?',
  tool: 'Switch this tool on?',
  key: 'Use this key?',
};

/** May exactly this value take effect? */
export function grantQuestion({ id, reason, subject, key, value, previous }: GrantConsentRequest): ConsentQuestion {
  const standing = previous === undefined ? null : valueText(previous);
  return {
    ...{ id, kind: 'grant', title: TITLES[subject], reason, tool: null, conversationId: null },
    parts: [{ kind: 'value', name: key, text: valueText(value), standing }],
    ...{ offers: [], mayPassVariables: false, takesWord: false, reviews: 0, ...NO_CALL },
  };
}
