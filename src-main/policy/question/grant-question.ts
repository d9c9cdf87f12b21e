import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import { keychainNamesIn } from '../../settings/keychain-placeholders.ts';
import type { GivenSecret, GrantConsentRequest } from '../consent.ts';
import type { HeldBefore } from '../mcp/held-permissions.ts';
import { accountParts, accountTitle } from './account-parts.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { type QuestionPart, valueText } from './question-parts.ts';
import { knownServerPart, permissionText } from './server-parts.ts';
import { serverText, signInText } from './server-text.ts';

const TITLES: Readonly<Record<Exclude<GrantSubject, 'google-sign-in'>, string>> = {
  workspace: 'Work in this folder?',
  folder: 'Grant this folder?',
  endpoint: 'Use this address?',
  provider: 'Use this model provider?',
  'mcp-server': 'Use this server?',
  'mcp-test': 'Connect to this server once?',
  'mcp-classes': 'Treat these tools like this?',
  'mcp-text': 'Treat the text of this server like this?',
  'mcp-sign-in': 'Sign in to this server?',
  'mcp-sign-in-address': 'Contact this address to sign in?',
  'mcp-roots': 'Tell this server which folders you use?',
  'google-client': 'Use this Google client?',
  rule: 'Add this rule?',
  tool: 'Switch this tool on?',
  key: 'Use this key?',
};

/** Values shown line by line. */
const TEXTS: Readonly<Partial<Record<GrantSubject, (value: unknown) => string>>> = {
  'mcp-server': serverText,
  'mcp-test': serverText,
  'mcp-sign-in': signInText,
};

/** May exactly this value take effect? */
export function grantQuestion(request: GrantConsentRequest): ConsentQuestion {
  const { id, reason, subject, key, value, previous, secrets = [], held } = request;
  const textOf = TEXTS[subject] ?? valueText;
  const standing = previous === undefined ? null : textOf(previous);
  const title = subject === 'google-sign-in' ? accountTitle(value) : TITLES[subject];
  const values: readonly QuestionPart[] =
    subject === 'google-sign-in' ? accountParts(value) : [{ kind: 'value', name: key, text: textOf(value), standing }];
  return {
    ...{ id, kind: 'grant', title, reason, tool: null, conversationId: null },
    parts: [
      ...heldParts(held, value),
      ...(subject === 'mcp-server' || subject === 'mcp-test' ? knownServerPart(value) : []),
      ...values,
      ...secretParts(secrets),
    ],
    ...{ offers: [], mayPassVariables: false, takesWord: false, reviews: 0, ...NO_CALL },
  };
}

function secretParts(secrets: readonly GivenSecret[]): QuestionPart[] {
  if (secrets.length === 0) return [];
  const lines = secrets.map(({ name, end }) => `${name}: a value that ends in ${JSON.stringify(end)}`);
  return [{ kind: 'text', title: 'Kept in the keychain', text: lines.join('\n') }];
}

const ANOTHER = 'It is another program or address now, so these permissions end:';

/** First, so that it is read before the values. */
function heldParts(held: HeldBefore | undefined, value: unknown): QuestionPart[] {
  if (held === undefined) return [];
  if (!held.ends)
    return [
      {
        ...{ kind: 'text', title: 'What you allowed before stays' },
        text: 'It is the same program or address, so what you allowed it stays.',
      },
    ];
  const lines = held.permissions.map((permission) => `• ${permissionText(permission)}`);
  const secrets = keychainNamesIn(value);
  return [
    { kind: 'text', title: 'What you allowed before ends', text: [ANOTHER, ...lines].join('\n') },
    ...(secrets.length === 0
      ? []
      : [{ kind: 'text', title: 'It is given what you stored in the keychain as', text: secrets.join('\n') } as const]),
  ];
}
