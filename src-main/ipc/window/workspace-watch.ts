import type { FolderFlaw } from '../../../src-preload/contract/folder-flaw.ts';
import type { Services } from '../../services.ts';

const LOOK_EVERY_MS = 3_000;

/**
 * Calls `onChange` when the workspace becomes unusable, or usable again: a drive is pulled out or plugged in. It looks
 * every few seconds, because file watchers say nothing about a folder that is unmounted or mounted. Ends with the
 * signal.
 */
export function watchWorkspace(services: Pick<Services, 'workspaceFlaw'>, onChange: () => void, signal: AbortSignal) {
  let known: FolderFlaw | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const flaw = await services.workspaceFlaw();
    if (signal.aborted) return;
    if (flaw !== known) onChange();
    known = flaw;
    // A network folder may take long to answer, so the next look waits for this one.
    timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    timer.unref();
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  void look();
}
