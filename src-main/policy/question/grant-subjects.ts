import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import { accountParts, accountTitle } from './account-parts.ts';
import { freedomParts } from './freedom-parts.ts';
import { type GrantSubjectKind, valuePart } from './grant-subject.ts';
import { providerParts, providerText } from './provider-text.ts';
import { serverParts, serverRisk, serverTitle } from './server-parts.ts';
import { signInText } from './server-text.ts';
import { skillFileParts, skillsText } from './skill-parts.ts';
import { UPDATE_CHECK_PART, updateParts } from './update-parts.ts';

const isPlain = (): undefined => undefined;
const because = (code: 'opens_folder' | 'lets_programs_in') => (): Consequence => ({ code });

/**
 * The subjects of permission grants. A new one needs its name and sentences in the contract
 * (`grant-reason.ts`), its value in `permission-grant.ts`, and its entry here.
 */
const SUBJECTS: { readonly [S in GrantSubject]: GrantSubjectKind<S> } = {
  workspace: {
    title: () => 'Work in this folder?',
    risk: isPlain,
    parts: (grant) => [valuePart('Folder', grant)],
    namesSetting: true,
    approvedBy: 'all_at_first_sight',
  },
  folder: {
    title: () => 'Grant this folder?',
    risk: because('opens_folder'),
    parts: (grant) => [valuePart('Folder', grant)],
    namesSetting: true,
    approvedBy: 'all_at_first_sight',
  },
  'work-freely': {
    title: () => 'Work freely in this folder?',
    risk: isPlain,
    parts: freedomParts,
    namesSetting: false,
    approvedBy: 'all',
  },
  'unasked-commands': {
    title: () => 'Stop asking before every command?',
    risk: isPlain,
    parts: () => [],
    namesSetting: true,
    approvedBy: 'all',
  },
  endpoint: {
    title: () => 'Send requests to this address instead?',
    risk: isPlain,
    parts: (grant) => [valuePart('Address', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  provider: {
    title: () => 'Use this model provider?',
    risk: isPlain,
    parts: providerParts,
    namesSetting: true,
    approvedBy: 'all',
  },
  'provider-test': {
    title: () => 'Connect to this model provider once?',
    risk: isPlain,
    parts: (grant) => [valuePart('Provider', grant, providerText)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-server': {
    title: (value) => serverTitle('mcp-server', value),
    risk: serverRisk,
    parts: serverParts,
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-test': {
    title: (value) => serverTitle('mcp-test', value),
    risk: serverRisk,
    parts: serverParts,
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-classes': {
    title: () => 'Treat these tools like this?',
    risk: isPlain,
    parts: (grant) => [valuePart('Tools', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-text': {
    title: () => 'Treat the text of this server like this?',
    risk: isPlain,
    parts: (grant) => [valuePart('Whose text', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-sign-in': {
    title: () => 'Sign in to this server?',
    risk: isPlain,
    parts: (grant) => [valuePart('Sign-in', grant, signInText)],
    namesSetting: true,
    approvedBy: 'all_or_sign_in',
  },
  'mcp-sign-in-address': {
    title: () => 'Contact this address to sign in?',
    risk: isPlain,
    parts: (grant) => [valuePart('Address', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'mcp-roots': {
    title: () => 'Tell this server which folders you use?',
    risk: isPlain,
    parts: (grant) => [valuePart('Server', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  skills: {
    title: () => 'Use the skills of this folder?',
    risk: isPlain,
    parts: (grant) => [valuePart('Skills', grant, skillsText), ...skillFileParts(grant.value)],
    namesSetting: true,
    approvedBy: 'all_at_first_sight',
  },
  'google-client': {
    title: () => 'Sign in to Google as this app?',
    risk: isPlain,
    parts: (grant) => [valuePart('App', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'google-sign-in': {
    title: accountTitle,
    risk: isPlain,
    parts: ({ value }) => accountParts(value),
    namesSetting: false,
    approvedBy: 'all_or_sign_in',
  },
  tool: {
    title: () => 'Switch this tool on?',
    risk: isPlain,
    parts: (grant) => [valuePart('Tool', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'client-socket': {
    title: () => 'Let programs ask to add tools?',
    risk: because('lets_programs_in'),
    parts: (grant) => [valuePart('New value', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  'update-check': {
    title: () => 'Look for new versions once a day?',
    risk: isPlain,
    parts: (grant) => [UPDATE_CHECK_PART, valuePart('New value', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
  update: {
    title: () => 'Download and install this version?',
    risk: isPlain,
    parts: updateParts,
    namesSetting: false,
    approvedBy: 'all',
  },
  key: {
    title: () => 'Use this key?',
    risk: isPlain,
    parts: (grant) => [valuePart('Key', grant)],
    namesSetting: true,
    approvedBy: 'all',
  },
};

export function grantSubject(subject: GrantSubject): GrantSubjectKind<GrantSubject> {
  return SUBJECTS[subject];
}
