import type { KeychainTrouble, SecretName, SecretStatus } from '../../src-preload/contract/settings.ts';

export interface KeyText {
  readonly label: string;
  /** The key's name for use in a sentence. */
  readonly name: string;
  /** What uses it. */
  readonly purpose: string;
  /** The user enters it in the section *Accounts*, and it is tested only by signing in. */
  readonly isOfGoogleClient?: boolean;
  /** The value is no secret. It is shown while it is entered, so that a mistake can be seen. */
  readonly isPublic?: boolean;
}

export const KEY_TEXTS: Readonly<Record<SecretName, KeyText>> = {
  'anthropic-api-key': { label: 'Anthropic', name: 'Anthropic key', purpose: 'Claude' },
  'openai-api-key': {
    label: 'OpenAI',
    name: 'OpenAI key',
    purpose: 'OpenAI models, for providers without their own key',
  },
  'gemini-api-key': {
    label: 'Google Gemini',
    name: 'Google Gemini key',
    purpose: 'Gemini models, for providers without their own key',
  },
  'brave-api-key': {
    label: 'Brave Search',
    name: 'Brave Search key',
    purpose: 'Web search',
  },
  'google-client-id': {
    label: 'Client ID',
    name: 'Google client ID',
    purpose: 'Ends in .apps.googleusercontent.com',
    isOfGoogleClient: true,
    isPublic: true,
  },
  'google-client-secret': {
    label: 'Client secret',
    name: 'Google client secret',
    purpose: 'Usually begins with GOCSPX-',
    isOfGoogleClient: true,
  },
  'anthropic-admin-api-key': {
    label: 'Anthropic admin',
    name: 'Anthropic admin key',
    purpose: 'Usage and cost reports of an organisation',
  },
};

/** The name as a label: `Anthropic key`, `Google client ID`. */
export function keyName(name: SecretName): string {
  return KEY_TEXTS[name].name;
}

/** The keys in the order in which they are shown. */
const KEY_NAMES = Object.keys(KEY_TEXTS) as readonly SecretName[];

/** Leaves out the keys of the Google client. */
export function shownKeys(statuses: readonly SecretStatus[]): readonly SecretStatus[] {
  return inOrder(statuses).filter((status) => !isOfGoogleClient(status));
}

/** The ID and secret of the Google client. */
export function googleClientKeys(statuses: readonly SecretStatus[]): readonly SecretStatus[] {
  return inOrder(statuses).filter(isOfGoogleClient);
}

function isOfGoogleClient({ name }: SecretStatus): boolean {
  return KEY_TEXTS[name].isOfGoogleClient === true;
}

function inOrder(statuses: readonly SecretStatus[]): readonly SecretStatus[] {
  return KEY_NAMES.flatMap((name) => statuses.find((status) => status.name === name) ?? []);
}

const KEYCHAINS: Readonly<Record<string, string>> = {
  darwin: 'the macOS keychain',
  win32: 'the Windows Credential Manager',
};

/** The place where keys are stored on this system, for use in a sentence. */
export function keychainName(platform: string): string {
  return KEYCHAINS[platform] ?? 'your desktop’s keyring (Secret Service)';
}

/** What a user can do about a keychain that can't be used. Empty if Steward knows of nothing. */
export function keychainHelp(platform: string, trouble: KeychainTrouble | null): string {
  if (platform !== 'linux' || trouble === null || trouble === 'failed') return '';
  if (trouble !== 'absent') return 'Unlock your keyring, and Steward uses it again.';
  return 'Install gnome-keyring (on KDE, switch on KWallet in the system settings), then log out and in again.';
}

export function whereItIs({ isSet, source }: SecretStatus): string {
  if (!isSet) return 'Not set';
  switch (source) {
    case 'keychain':
      return 'In the keychain';
    case 'memory':
      return 'In memory, until Steward quits';
    case 'environment':
      return 'From the environment';
    case '.env':
      return 'From the .env file';
    default:
      return 'Set';
  }
}

/** The app can't remove keys that it did not store. */
export function isReadOnly({ source }: SecretStatus): boolean {
  return source === 'environment' || source === '.env';
}
