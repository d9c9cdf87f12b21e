/** What a permission grant is about. */
export type GrantSubject =
  | 'workspace'
  | 'folder'
  | 'work-freely'
  | 'unasked-commands'
  | 'endpoint'
  | 'provider'
  | 'provider-test'
  | 'mcp-server'
  | 'mcp-test'
  | 'mcp-classes'
  | 'mcp-text'
  | 'mcp-sign-in'
  | 'mcp-sign-in-address'
  | 'mcp-roots'
  | 'skills'
  | 'google-client'
  | 'google-sign-in'
  | 'tool'
  | 'client-socket'
  | 'update-check'
  | 'update'
  | 'key';

/**
 * The value of this key would give the assistant more power. `changed` is set if another value was confirmed before.
 */
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

const UPDATE =
  'This file replaces the running Steward when you restart it, and can then do everything that Steward can do.';

const UPDATE_CHECK =
  'Steward then asks the site of its releases once a day which version is the newest, and sends no identifier.';

const UNASKED = 'Commands that can change nothing then run without a question again.';
const FREELY = 'Steward then asks less about what it does in this folder.';

/** Questions about what happens then, in which no key of config.json needs to be named. */
const ABOUT_NOW = {
  'unasked-commands': { new: UNASKED, replaced: UNASKED, changed: UNASKED },
  'work-freely': { new: FREELY, replaced: FREELY, changed: FREELY },
  'update-check': { new: UPDATE_CHECK, replaced: UPDATE_CHECK, changed: UPDATE_CHECK },
  update: { new: UPDATE, replaced: UPDATE, changed: UPDATE },
  'mcp-sign-in': {
    new: 'Your browser opens so that you can sign in. The tools of this server may then act in your name.',
    replaced: MORE_SCOPES,
    changed: MORE_SCOPES,
  },
  'google-sign-in': { new: ACCOUNT, replaced: ACCOUNT, changed: ACCOUNT },
} as const satisfies Partial<Record<GrantSubject, Readonly<Record<State, string>>>>;

const SKILLS_ARE =
  'They are instructions that the model is given when it uses one, and take effect only if you confirm them.';
const SKILLS: Readonly<Record<State, string>> = {
  new: `These skills are new. ${SKILLS_ARE}`,
  replaced: `These skills would be replaced. ${SKILLS_ARE}`,
  changed: `These skills were changed since you confirmed them. ${SKILLS_ARE}`,
};

type AboutNow = keyof typeof ABOUT_NOW;
const isAboutNow = (subject: GrantSubject): subject is AboutNow => Object.hasOwn(ABOUT_NOW, subject);

const SUBJECTS: Readonly<Record<Exclude<GrantSubject, AboutNow | 'skills'>, string>> = {
  workspace: 'a folder to work in',
  folder: 'a folder that tools may read and change',
  endpoint: 'an address that keys and conversations are sent to',
  provider: 'a model provider that keys and conversations are sent to',
  'provider-test': 'a model provider that is contacted once, to see whether it works',
  'mcp-server': 'a program or server whose tools the assistant may use',
  'mcp-test': 'a program or server that is started or contacted once, to see whether it works',
  'mcp-classes': 'the classes of a server’s tools, which determine what runs without asking',
  'mcp-text': 'whose text a server returns, which determines how much Steward asks afterwards',
  'mcp-sign-in-address': 'an address on your own machine or network that a server sends you to for signing in',
  'mcp-roots': 'the names of your folders, which would be sent to a remote server',
  tool: 'a tool the assistant may use',
  'client-socket': 'whether programs on this machine may ask to bring tools, each of which you pair first',
  'google-client': 'the app that Steward signs in to Google as',
  key: 'the account that conversations and requests go to',
};

/** What happens once it is confirmed. For servers, the question says it: it depends on how they are reached. */
const THEN: Readonly<Record<Exclude<GrantSubject, AboutNow | 'skills'>, string>> = {
  workspace: 'The assistant then works in this folder: tools may read and change what is in it.',
  folder: 'Tools may then read and change what is in this folder.',
  endpoint: 'What is meant for this service then goes to this address instead, keys and conversations included.',
  provider: 'Keys and conversations are then sent to this provider.',
  'provider-test': 'It is contacted once, to see whether it works.',
  'mcp-server': 'Nothing is started or sent before you confirm it.',
  'mcp-test': 'Nothing is started or sent before you confirm it.',
  'mcp-classes': 'The class decides what runs without asking.',
  'mcp-text': 'This decides how much Steward asks once text of this server was read.',
  'mcp-sign-in-address': 'A server sends you to this address on your own machine or network to sign in.',
  'mcp-roots': 'The names of your folders are then sent to this server, which is on another machine.',
  tool: 'The assistant may then use this tool.',
  'client-socket': 'Programs on this computer may then ask to bring tools. You pair each of them first.',
  'google-client': 'Steward then signs in to Google as this app. Use one that you created yourself.',
  key: 'Conversations and requests then go to the account of this key.',
};

const SINCE: Readonly<Record<State, string>> = {
  new: '',
  replaced: ' It replaces what is set now.',
  changed: ' It was changed since you confirmed it.',
};

/** The reason for the user who is asked, without the key of config.json. */
export function grantQuestionText({ subject, state, ...reason }: GrantReason): string {
  if (isAboutNow(subject) || subject === 'skills') return grantReasonText({ ...reason, subject, state });
  return THEN[subject] + SINCE[state];
}

/** Why a permission grant is asked about. */
export function grantReasonText({ key, subject, state }: GrantReason): string {
  if (isAboutNow(subject)) return ABOUT_NOW[subject][state];
  // Skills come from a folder, not from a line of config.json.
  if (subject === 'skills') return SKILLS[state];
  return `${key} ${STATES[state]}. It names ${SUBJECTS[subject]}, so it takes effect only if you confirm it.`;
}
