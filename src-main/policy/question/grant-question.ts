import { keychainNamesIn } from '../../settings/keychain-placeholders.ts';
import type { GrantConsentRequest } from '../consent.ts';
import type { HeldBefore } from '../mcp/held-permissions.ts';
import type { GivenSecret } from '../permission-grant.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { grantSubject } from './grant-subjects.ts';
import { consequencePart, type QuestionPart } from './question-parts.ts';
import { permissionText } from './server-parts.ts';

/** Asks whether exactly this value may take effect. */
export function grantQuestion(request: GrantConsentRequest): ConsentQuestion {
  const { id, reason, key, value, secrets = [], held } = request;
  const subject = grantSubject(request.subject);
  const risk = subject.risk(value);
  return {
    id,
    kind: 'grant',
    title: subject.title(value),
    reason,
    tool: null,
    conversationId: null,
    parts: [
      ...(risk === undefined ? [] : [consequencePart(risk)]),
      ...heldParts(held, value),
      ...subject.parts(request),
      ...secretParts(secrets),
      ...(subject.namesSetting ? [settingPart(key)] : []),
    ],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
    ...(risk === undefined ? {} : { risk: 'grave' as const }),
  };
}

/** Names the setting for reference only, because people know the thing and not its name in config.json. */
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

/** Says what becomes of earlier permissions. It is shown first, so that it is read before the values. */
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
