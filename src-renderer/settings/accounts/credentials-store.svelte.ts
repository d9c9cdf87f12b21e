import type { CredentialList } from '../../../src-preload/contract/credentials.ts';
import type { SecretName } from '../../../src-preload/contract/settings.ts';
import { sentenceOf } from '../../ui/bridge.ts';
import { LoadedView } from '../loaded-view.svelte.ts';

/** What a test or a removal came to. */
export interface CredentialOutcome {
  readonly isGood: boolean;
  readonly message: string;
}

/** Every secret of Steward besides accounts, as main reports it, which never includes a value. */
export class CredentialsStore extends LoadedView<CredentialList> {
  /** What is in progress: `test:` or `remove:` and the name of a keychain entry. */
  busy = $state<string | null>(null);
  /** The outcomes by keychain entry, until the next request about it. */
  outcomes = $state.raw<ReadonlyMap<string, CredentialOutcome>>(new Map());

  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    return this.loadOn('settingsChanged', 'serverSignInChanged', 'accountsChanged');
  }

  get list(): CredentialList | null {
    return this.view;
  }

  protected override ask(): Promise<CredentialList> {
    return this.bridge.request('credentials.list', {});
  }

  async testKey(name: SecretName, entry: string): Promise<void> {
    await this.#about('test', entry, async () => {
      const { works, message } = await this.bridge.request('credentials.testKey', { name });
      return { isGood: works, message };
    });
  }

  async removeKey(name: SecretName, entry: string): Promise<void> {
    await this.#about('remove', entry, async () => {
      await this.bridge.request('settings.removeKey', { name });
      await this.load();
      return undefined;
    });
  }

  async removeServerSecret(server: string, name: string, entry: string): Promise<void> {
    await this.#about('remove', entry, async () => {
      this.view = await this.bridge.request('credentials.removeServerSecret', { server, name });
      return undefined;
    });
  }

  async signOut(server: string, entry: string): Promise<void> {
    await this.#about('remove', entry, async () => {
      await this.bridge.request('serverSignIn.signOut', { server });
      await this.load();
      return undefined;
    });
  }

  async #about(
    what: 'test' | 'remove',
    entry: string,
    request: () => Promise<CredentialOutcome | undefined>,
  ): Promise<void> {
    this.outcomes = new Map([...this.outcomes].filter(([name]) => name !== entry));
    this.busy = `${what}:${entry}`;
    try {
      const outcome = await request();
      if (outcome !== undefined) this.outcomes = new Map(this.outcomes).set(entry, outcome);
    } catch (error) {
      this.outcomes = new Map(this.outcomes).set(entry, { isGood: false, message: sentenceOf(error) });
    } finally {
      this.busy = null;
    }
  }
}
