/** What a permission grant is about. */
export type GrantSubject =
  | 'workspace'
  | 'folder'
  | 'endpoint'
  | 'provider'
  | 'mcp-server'
  | 'mcp-test'
  | 'mcp-classes'
  | 'mcp-text'
  | 'mcp-sign-in'
  | 'mcp-sign-in-address'
  | 'mcp-roots'
  | 'google-client'
  | 'google-sign-in'
  | 'rule'
  | 'tool'
  | 'key';

/** The value of this key would give the assistant more power. `changed`: since another value was confirmed. */
export interface GrantReason {
  readonly key: string;
  readonly subject: GrantSubject;
  readonly state: 'new' | 'replaced' | 'changed';
}

type State = GrantReason['state'];

const STATES: Readonly<Record<State, string>> = {
  new: 'is new',
  replaced: 'would be replaced',
  changed: 'was changed since you confirmed it',
};

const MORE_SCOPES =
  'This server needs more than you granted when you signed in, so your browser opens again. Its tools may then use all of this in your name.';
const ACCOUNT =
  'Your browser opens so that you can sign in. Steward then reads this account without asking, and asks before it sends or changes anything.';

/** Nothing is kept in config.json: the question is about what happens now. */
const SIGN_INS = {
  'mcp-sign-in': {
    new: 'Your browser opens so that you can sign in. The tools of this server may then act in your name.',
    replaced: MORE_SCOPES,
    changed: MORE_SCOPES,
  },
  'google-sign-in': { new: ACCOUNT, replaced: ACCOUNT, changed: ACCOUNT },
} as const satisfies Partial<Record<GrantSubject, Readonly<Record<State, string>>>>;

type SignIn = keyof typeof SIGN_INS;

const SUBJECTS: Readonly<Record<Exclude<GrantSubject, SignIn>, string>> = {
  workspace: 'a folder to work in',
  folder: 'a folder that tools may read and change',
  endpoint: 'an address that keys and conversations are sent to',
  provider: 'a model provider that keys and conversations are sent to',
  'mcp-server': 'a program or server whose tools the assistant may use',
  'mcp-test': 'a program or server that is started or contacted once, to see whether it works',
  'mcp-classes': 'the classes of a server’s tools, which determine what runs without asking',
  'mcp-text': 'whose text a server returns, which determines how much Steward asks afterwards',
  'mcp-sign-in-address': 'an address on your own machine or network that a server sends you to for signing in',
  'mcp-roots': 'the names of your folders, which would be sent to a remote server',
  rule: 'a rule that allows actions without asking',
  tool: 'a tool the assistant may use',
  'google-client': 'the app that Steward signs in to Google as',
  key: 'the account that conversations and requests go to',
};

/** Why a permission grant is asked about. */
export function grantReasonText({ key, subject, state }: GrantReason): string {
  if (subject === 'mcp-sign-in' || subject === 'google-sign-in') return SIGN_INS[subject][state];
  return `${key} ${STATES[state]}. It names ${SUBJECTS[subject]}, so it takes effect only if you confirm it.`;
}
