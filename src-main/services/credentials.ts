import { environmentNames } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';

/**
 * Which keys are set, as of the last `refresh`: asking the keychain takes time, and registering tools needs the answer
 * at once.
 */
export class Credentials {
  readonly #secrets: Secrets;
  #names: ReadonlySet<string> = new Set();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** `name` is the name in the environment, like `BRAVE_API_KEY`. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  async refresh(): Promise<void> {
    const status = await this.#secrets.status();
    this.#names = new Set(status.flatMap(({ name, isSet }) => (isSet ? (environmentNames[name] ?? []) : [])));
  }
}
