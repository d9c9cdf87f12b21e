import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import { isRecord } from '../../base/json.ts';
import { grouped } from '../../base/text.ts';
import { keychainNamesIn } from '../../settings/keychain-placeholders.ts';
import type { GivenSecret, GrantConsentRequest } from '../consent.ts';
import type { HeldBefore } from '../mcp/held-permissions.ts';
import { accountParts, accountTitle } from './account-parts.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { type KeySent, providerText } from './provider-text.ts';
import { consequencePart, type QuestionPart, valueText } from './question-parts.ts';
import {
  isProgram,
  knownServerPart,
  permissionText,
  type ServerSubject,
  serverRightsPart,
  serverTitle,
} from './server-parts.ts';
import { serverText, signInText } from './server-text.ts';
import { UPDATE_CHECK_PART, updateParts } from './update-parts.ts';

const TITLES: Readonly<Record<Exclude<GrantSubject, 'google-sign-in' | ServerSubject>, string>> = {
  workspace: 'Work in this folder?',
  folder: 'Grant this folder?',
  endpoint: 'Send requests to this address instead?',
  provider: 'Use this model provider?',
  'provider-test': 'Connect to this model provider once?',
  'mcp-classes': 'Treat these tools like this?',
  'mcp-text': 'Treat the text of this server like this?',
  'mcp-sign-in': 'Sign in to this server?',
  'mcp-sign-in-address': 'Contact this address to sign in?',
  skills: 'Use the skills of this folder?',
  'mcp-roots': 'Tell this server which folders you use?',
  'google-client': 'Sign in to Google as this app?',
  rule: 'Add this rule?',
  tool: 'Switch this tool on?',
  'client-socket': 'Let programs ask to add tools?',
  'update-check': 'Look for new versions once a day?',
  update: 'Download and install this version?',
  key: 'Use this key?',
};

/** Above the value. */
const VALUE_TITLES: Readonly<Partial<Record<GrantSubject, string>>> = {
  workspace: 'Folder',
  folder: 'Folder',
  endpoint: 'Address',
  provider: 'Provider',
  'provider-test': 'Provider',
  'mcp-classes': 'Tools',
  'mcp-text': 'Whose text',
  'mcp-sign-in': 'Sign-in',
  'mcp-sign-in-address': 'Address',
  'mcp-roots': 'Server',
  skills: 'Skills',
  'google-client': 'App',
  rule: 'Rule',
  tool: 'Tool',
  key: 'Key',
};

/** Values shown line by line. */
const TEXTS: Readonly<Partial<Record<GrantSubject, (value: unknown) => string>>> = {
  provider: providerText,
  'provider-test': providerText,
  'mcp-server': serverText,
  'mcp-test': serverText,
  'mcp-sign-in': signInText,
  skills: skillsText,
};

/** Values that are more than one text. */
const OWN_PARTS: Readonly<
  Partial<Record<GrantSubject, (value: unknown, previous: unknown) => readonly QuestionPart[]>>
> = {
  'google-sign-in': accountParts,
  update: updateParts,
};

function skillsText(value: unknown): string {
  return recordsIn(value)
    .map(({ name, description }) => `${String(name)}: ${String(description)}`)
    .join('\n');
}

/** Each file in full, because the model follows what it says. */
function skillFileParts(value: unknown): QuestionPart[] {
  return recordsIn(value).flatMap(({ name, files }) =>
    recordsIn(files).map(({ path, bytes, text }): QuestionPart => {
      const title = `${String(name)}: ${String(path)} (${grouped(Number(bytes))} bytes)`;
      return { kind: 'text', title, text: String(text) };
    }),
  );
}

function recordsIn(value: unknown) {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** May exactly this value take effect? */
export function grantQuestion(request: GrantConsentRequest): ConsentQuestion {
  const { id, reason, subject, key, value, previous, secrets = [], held, template } = request;
  const textOf = TEXTS[subject] ?? valueText;
  const isKeyGiven = subject === 'provider' && secrets.length > 0 && isRecord(value);
  const shown = isKeyGiven ? { ...value, key: 'entered' satisfies KeySent } : value;
  const standing = previous === undefined ? null : textOf(previous);
  const title = titleOf(subject, value);
  const ownParts = OWN_PARTS[subject]?.(value, previous);
  const widens = widening(subject, value);
  const values = ownParts ?? [
    { kind: 'value', title: valueTitle(subject, value), text: textOf(shown), standing } as const,
  ];
  return {
    id,
    kind: 'grant',
    title,
    reason,
    tool: null,
    conversationId: null,
    parts: [
      ...(widens === undefined ? [] : [consequencePart(widens)]),
      ...heldParts(held, value),
      ...(subject === 'update-check' ? [UPDATE_CHECK_PART] : []),
      ...values,
      ...(isOfServer(subject) ? [serverRightsPart(subject, value), ...knownServerPart(template)] : []),
      ...(subject === 'skills' ? skillFileParts(value) : []),
      ...secretParts(secrets),
      ...(ownParts === undefined ? [settingPart(key)] : []),
    ],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
    ...(widens === undefined ? {} : { risk: 'grave' as const }),
  };
}

const WIDENING: Readonly<Partial<Record<GrantSubject, GrantRisk>>> = {
  folder: 'opens_folder',
  rule: 'ends_questions',
  'client-socket': 'lets_programs_in',
};

type GrantRisk = 'opens_folder' | 'ends_questions' | 'lets_programs_in';

/** What makes the grant grave, if anything does. */
function widening(subject: GrantSubject, value: unknown): Consequence | undefined {
  if (isOfServer(subject) && isProgram(value)) return { code: 'runs_program' };
  const code = WIDENING[subject];
  return code === undefined ? undefined : { code };
}

function titleOf(subject: GrantSubject, value: unknown): string {
  if (subject === 'google-sign-in') return accountTitle(value);
  return isOfServer(subject) ? serverTitle(subject, value) : TITLES[subject];
}

function valueTitle(subject: GrantSubject, value: unknown): string {
  if (isOfServer(subject)) return isProgram(value) ? 'Program' : 'Server';
  return VALUE_TITLES[subject] ?? 'New value';
}

function isOfServer(subject: GrantSubject): subject is ServerSubject {
  return subject === 'mcp-server' || subject === 'mcp-test';
}

/** For reference: people know the thing, not its name in config.json. */
function settingPart(key: string): QuestionPart {
  return { kind: 'arguments', values: [], derived: [{ name: 'Setting', text: key }] };
}

const KEPT_IN: Readonly<Record<GivenSecret['keptIn'], string>> = {
  keychain: 'Kept in the keychain',
  memory: 'Kept in memory until Steward quits',
  nowhere: 'Used this once',
};

function secretParts(secrets: readonly GivenSecret[]): QuestionPart[] {
  return Object.entries(KEPT_IN).flatMap(([place, title]) => {
    const lines = secrets
      .filter(({ keptIn }) => keptIn === place)
      .map(({ name, end, whole }) =>
        whole === undefined
          ? `${name}: a value that ends in ${JSON.stringify(end)}`
          : `${name}: ${JSON.stringify(whole)}`,
      );
    return lines.length === 0 ? [] : [{ kind: 'text', title, text: lines.join('\n') }];
  });
}

const ANOTHER = 'It is another program or address now, so these permissions end:';

/** First, so that it is read before the values. */
function heldParts(held: HeldBefore | undefined, value: unknown): QuestionPart[] {
  if (held === undefined) return [];
  if (!held.ends)
    return [
      {
        kind: 'text',
        title: 'What you allowed before stays',
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
