import type { AsyncEntry } from 'keytar';
import { type Keychain, KeychainUnavailable } from './keychain.ts';
import { inParts } from './long-values.ts';
import { SecretService } from './secret-service.ts';

export const KEYCHAIN_SERVICE = 'Steward';

/** The limit for answers, used once the Secret Service is known to answer. */
const ANSWER_WITHIN_MS = 5000;
/** Windows takes 2,560 bytes of UTF-16 (`CRED_MAX_CREDENTIAL_BLOB_SIZE`), and tokens may be longer. */
const WINDOWS_LIMIT = 1_280;
/** macOS and Windows may show their own dialogue first. */
const ANSWER_WITH_DIALOGUE_WITHIN_MS = 60_000;

/**
 * The keychain of this system: Secret Service, macOS Keychain, Windows Credential Manager.
 *
 * Not through the module's `keytar/keytar.js`: where no Secret Service answers, that silently stores in the kernel's
 * keyring (Brooooooklyn/keyring-node#142), which forgets at reboot. An entry pinned to `secret-service` fails instead.
 *
 * `onDialogue`: the system is about to ask the user to unlock it.
 */
export function systemKeychain(onDialogue: () => void = () => undefined): Keychain {
  const prepared = async (account: string, purpose: 'read' | 'write'): Promise<boolean> => {
    if (process.platform !== 'linux') return true;
    return SecretService.with(process.env, onDialogue, async (service) => {
      if (purpose === 'read') return service.hasEntry(KEYCHAIN_SERVICE, account);
      await service.prepareForWriting();
      return true;
    });
  };
  const whole: Keychain = {
    async get(account) {
      if (!(await prepared(account, 'read'))) return undefined;
      return (await native(account, (entry) => entry.getPassword())) ?? undefined;
    },
    async set(account, value) {
      await prepared(account, 'write');
      await native(account, (entry) => entry.setPassword(value));
    },
    async remove(account) {
      return (await prepared(account, 'read')) && native(account, (entry) => entry.deletePassword());
    },
  };
  return process.platform === 'win32' ? inParts(whole, WINDOWS_LIMIT) : whole;
}

async function native<T>(account: string, use: (entry: AsyncEntry) => Promise<T>): Promise<T> {
  let Entry: typeof AsyncEntry;
  try {
    ({ AsyncEntry: Entry } = await import('keytar'));
  } catch {
    // The loader's reason is full of paths, and all a user can do is reinstall.
    throw new KeychainUnavailable('absent', 'the keychain module cannot be loaded on this system');
  }
  const withinMs = process.platform === 'linux' ? ANSWER_WITHIN_MS : ANSWER_WITH_DIALOGUE_WITHIN_MS;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new KeychainUnavailable('no_answer', `it did not answer within ${withinMs / 1000} s`)),
      withinMs,
    );
  });
  try {
    const entry = new Entry(KEYCHAIN_SERVICE, account, { linux: { store: 'secret-service' } });
    return await Promise.race([use(entry), tooLate]);
  } catch (error) {
    if (error instanceof KeychainUnavailable) throw error;
    // The module's messages are not shown: some contain the data they failed on.
    throw new KeychainUnavailable('failed', 'it refused the request');
  } finally {
    clearTimeout(timer);
  }
}
