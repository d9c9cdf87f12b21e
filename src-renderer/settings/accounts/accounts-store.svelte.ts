import type { Account, AccountName } from '../../../src-preload/contract/accounts.ts';
import { sentenceOf } from '../../ui/bridge.ts';
import { LoadedView } from '../loaded-view.svelte.ts';

type Action = 'connect' | 'cancelConnect' | 'disconnect' | 'disconnectAll' | 'test';

/** Google accounts as reported by main. */
export class AccountsStore extends LoadedView<readonly Account[]> {
  /** What is in progress besides a sign-in: `test:gmail`, `disconnectAll`. */
  busy = $state<string | null>(null);
  /** The account whose last test worked, until something else is done. */
  working = $state<AccountName | null>(null);
  /** Failed requests, by account (`all`); failed sign-ins and tests are part of the state instead. */
  refusals = $state.raw<ReadonlyMap<AccountName | 'all', string>>(new Map());

  /** Loads, and follows main until the returned function is called. The client may be entered or removed, too. */
  start(): () => void {
    return this.loadOn('accountsChanged', 'settingsChanged');
  }

  get accounts(): readonly Account[] | null {
    return this.view;
  }

  protected override ask(): Promise<readonly Account[]> {
    return this.bridge.request('accounts.list', {});
  }

  /** Why the last sign-in, test or request failed. What the user ended is not a failure. */
  problemOf(account: Account): { readonly code: string; readonly message: string } | null {
    const refusal = this.refusals.get(account.name);
    if (refusal !== undefined) return { code: 'refused', message: refusal };
    const { problem } = account;
    return problem === null || problem.code === 'cancelled' || problem.code === 'not_confirmed' ? null : problem;
  }

  connect(name: AccountName): Promise<void> {
    return this.#one('connect', name);
  }

  cancelConnect(name: AccountName): Promise<void> {
    return this.#one('cancelConnect', name);
  }

  async test(name: AccountName): Promise<void> {
    await this.#one('test', name);
    const account = this.accounts?.find((each) => each.name === name);
    if (account?.problem === null && account.state === 'connected' && !this.refusals.has(name)) this.working = name;
  }

  async disconnect(name: AccountName): Promise<void> {
    await this.#do('disconnect', name, async () => {
      this.view = await this.bridge.request('accounts.disconnect', { name });
    });
  }

  async disconnectAll(): Promise<void> {
    await this.#do('disconnectAll', 'all', async () => {
      this.view = await this.bridge.request('accounts.disconnectAll', {});
    });
  }

  #one(action: 'connect' | 'cancelConnect' | 'test', name: AccountName): Promise<void> {
    return this.#do(action, name, async () => {
      const account = await this.bridge.request(`accounts.${action}`, { name });
      this.view = (this.accounts ?? []).map((each) => (each.name === name ? account : each));
    });
  }

  async #do(action: Action, about: AccountName | 'all', request: () => Promise<void>): Promise<void> {
    this.working = null;
    this.refusals = new Map([...this.refusals].filter(([name]) => name !== about));
    // A sign-in takes minutes and reports its own steps.
    const busy = action === 'connect' || action === 'cancelConnect' ? null : `${action}:${about}`;
    if (busy !== null) this.busy = busy;
    try {
      await request();
    } catch (error) {
      this.refusals = new Map(this.refusals).set(about, sentenceOf(error));
    } finally {
      if (busy !== null) this.busy = null;
    }
  }
}
