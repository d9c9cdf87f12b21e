import type { Services } from '../../services.ts';
import type { Turns } from '../conversations/turns.ts';
import type { Pages } from './pages.ts';
import { watchWorkspace } from './workspace-watch.ts';

export interface ServiceFollowers {
  readonly pages: Pages;
  readonly turns: Pick<Turns, 'tell'>;
  /** The services end. */
  readonly signal: AbortSignal;
}

/** Tells the chat's page what changes in the services, for as long as they run, and what is there to review now. */
export function followServices(services: Services, { pages, turns, signal }: ServiceFollowers): void {
  const settingsChanged = () => pages.app('settingsChanged', {});
  const unreviewedChanged = () => tellUnreviewed(services, pages);
  services.onChange(settingsChanged);
  let toSignIn = services.serversToSignIn.join();
  services.mcp.onChange(() => {
    const now = services.serversToSignIn.join();
    if (now !== toSignIn) settingsChanged();
    toSignIn = now;
  });
  services.mcpAccounts.signIns.onChange(() => pages.app('serverSignInChanged', {}));
  services.googleAccounts.onChange(() => pages.app('accountsChanged', {}));
  services.leftRunning.onChange(() => tellLeftRunning(services, pages));
  services.outbox.onEvent((event) => turns.tell(event, services.registry));
  services.onChange(unreviewedChanged);
  services.review.onChange(unreviewedChanged);
  unreviewedChanged();
  watchWorkspace(services, settingsChanged, signal);
}

export function tellLeftRunning({ leftRunning }: Pick<Services, 'leftRunning'>, pages: Pages): void {
  pages.app('leftRunning', { left: leftRunning.list() });
}

export function tellUnreviewed({ review }: Pick<Services, 'review'>, pages: Pages): void {
  if (pages.isAppLoaded) pages.app('unreviewed', { files: review.pending().length });
}
