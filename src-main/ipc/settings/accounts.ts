import type { AccountName, accounts } from '../../../src-preload/contract/accounts.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import type { ToolsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Circumstances, Handlers } from '../handlers.ts';

export interface AccountsPorts {
  readonly services: Pick<ToolsPart, 'googleAccounts'>;
  readonly desktop: Pick<Desktop, 'takeGesture'>;
}

export function accountsHandlers({ services, desktop }: AccountsPorts): Handlers<typeof accounts> {
  const { googleAccounts } = services;
  const changing = async (change: () => Promise<void>, circumstances: Circumstances) => {
    needGesture(desktop, circumstances);
    await change();
    return googleAccounts.list();
  };
  const reported = async (name: AccountName, change: () => Promise<void>, circumstances: Circumstances) => {
    needGesture(desktop, circumstances);
    await change().catch((error: unknown) => {
      // A `SignInFailure` is reported as part of the state.
      if (!(error instanceof SignInFailure)) throw error;
    });
    return googleAccounts.get(name);
  };

  return {
    list: () => googleAccounts.list(),

    connect: ({ name }, circumstances) => reported(name, () => googleAccounts.connect(name), circumstances),

    cancelConnect: ({ name }) => {
      googleAccounts.cancel(name);
      return googleAccounts.get(name);
    },

    // Can't be undone: the user has to sign in again.
    disconnect: ({ name }, circumstances) => changing(() => googleAccounts.disconnect(name), circumstances),

    disconnectAll: (_none, circumstances) => changing(() => googleAccounts.disconnectAll(), circumstances),

    test: ({ name }, circumstances) => reported(name, () => googleAccounts.test(name), circumstances),
  };
}
