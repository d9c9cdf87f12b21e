import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { Services } from '../../services.ts';
import { watchWorkspace } from './workspace-watch.ts';

export interface ServiceChanges {
  settingsChanged(): void;
  serverSignInChanged(): void;
  accountsChanged(): void;
  leftRunningChanged(): void;
  unreviewedChanged(): void;
  onMail(event: StoredEvent): void;
}

/**
 * Reports what changes in the services, for as long as they run, and what is there to review now. `signal`: they end.
 */
export function followServices(services: Services, changes: ServiceChanges, signal: AbortSignal): void {
  services.onChange(() => changes.settingsChanged());
  let toSignIn = services.serversToSignIn.join();
  services.mcp.onChange(() => {
    const now = services.serversToSignIn.join();
    if (now !== toSignIn) changes.settingsChanged();
    toSignIn = now;
  });
  services.mcpAccounts.signIns.onChange(() => changes.serverSignInChanged());
  services.googleAccounts.onChange(() => changes.accountsChanged());
  services.leftRunning.onChange(() => changes.leftRunningChanged());
  services.outbox.onEvent((event) => changes.onMail(event));
  services.onChange(() => changes.unreviewedChanged());
  services.review.onChange(() => changes.unreviewedChanged());
  changes.unreviewedChanged();
  watchWorkspace(services, () => changes.settingsChanged(), signal);
}
