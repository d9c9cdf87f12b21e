/** The OS keychain, entries of the service `Steward`. All methods throw `KeychainUnavailable` and nothing else. */
export interface Keychain {
  /** `undefined`: there is no such entry. */
  get(account: string): Promise<string | undefined>;
  set(account: string, value: string): Promise<void>;
  /** False: there was none. */
  remove(account: string): Promise<boolean>;
}

export type KeychainTrouble = 'absent' | 'no_answer' | 'locked' | 'failed';

/** "Could not be asked", which is not "has no such entry". `message` completes a sentence and never holds a value. */
export class KeychainUnavailable extends Error {
  override readonly name = 'KeychainUnavailable';
  readonly reason: KeychainTrouble;

  constructor(reason: KeychainTrouble, message: string) {
    super(message);
    this.reason = reason;
  }
}
