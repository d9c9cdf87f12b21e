import type { Services } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';

/** Makes handlers once the services have started. If that fails, it is the answer to each request. */
export type Late = <H>(load: (started: Services) => Promise<H>) => Promise<H>;

export interface LateHandlersPorts {
  readonly desktop: Desktop;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** The settings changed. */
  readonly onChanged: () => void;
}

/** The handlers that need nothing of the window but its desktop. */
export function lateHandlers(late: Late, { desktop, env, signal, onChanged }: LateHandlersPorts) {
  return {
    settings: late(async (services) => {
      const { settingsHandlers } = await import('../settings/settings.ts');
      return settingsHandlers({ services, desktop, signal, onChanged });
    }),
    providers: late(async (services) => {
      const { providersHandlers } = await import('../providers/providers.ts');
      return providersHandlers({ services, desktop, signal, onChanged });
    }),
    serverSignIn: late(async (services) => {
      const { serverSignInHandlers } = await import('../servers/server-sign-in.ts');
      return serverSignInHandlers({ services, desktop });
    }),
    credentials: late(async (services) => {
      const { credentialHandlers } = await import('../settings/credentials.ts');
      return credentialHandlers({ services, desktop, env, onChanged });
    }),
    outbox: late(async (services) => {
      const { outboxHandlers } = await import('../conversations/outbox.ts');
      return outboxHandlers({ services, desktop });
    }),
    usage: late(async (services) => {
      const { usageHandlers } = await import('../settings/usage.ts');
      return usageHandlers({ services, desktop, onChanged });
    }),
    accounts: late(async (services) => {
      const { accountsHandlers } = await import('../settings/accounts.ts');
      return accountsHandlers({ services, desktop });
    }),
  };
}
