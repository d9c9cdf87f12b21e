import type { KeychainTrouble } from '../../src-preload/contract/settings.ts';

export type { KeychainTrouble };

/** The OS keychain, entries of the service `Steward`. All methods throw `KeychainUnavailable` and nothing else. */
export interface Keychain {
  /** Undefined if there is no such entry. */
  get(account: string): Promise<string | undefined>;
  set(account: string, value: string): Promise<void>;
  /** False if there was no such entry. */
  remove(account: string): Promise<boolean>;
}

/**
 * The keychain could not be asked, as opposed to having no such entry. `message` completes a sentence and never
 * contains a value.
 */
export class KeychainUnavailable extends Error {
  override readonly name = 'KeychainUnavailable';
  readonly reason: KeychainTrouble;

  constructor(reason: KeychainTrouble, message: string) {
    super(message);
    this.reason = reason;
  }
}
