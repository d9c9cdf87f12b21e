import type { InstallObstacle } from '../../../src-preload/contract/updates.ts';

/**
 * Why this copy can't replace itself, and what to do instead. `hasPages` says that the releases have a download page.
 */
export function obstacleText(obstacle: InstallObstacle, hasPages: boolean): string {
  const from = hasPages ? 'the download page' : 'the place you got it from';
  return {
    evaluation: `This copy runs on an old Electron, for evaluation only, and can’t update itself. Get the released version from ${from}.`,
    by_hand: `This copy can’t update itself. Get the new version from ${from}, or from your package manager.`,
    not_writable: `This copy can’t update itself: its file can’t be replaced in the folder that it is in. Get the new version from ${from}.`,
    no_file: `This release has no file that this copy could update itself with. Look for one on ${from}.`,
  }[obstacle];
}
