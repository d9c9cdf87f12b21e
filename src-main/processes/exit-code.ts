import { constants } from 'node:os';

/** As shells report it: a process that a signal ended has 128 + the signal's number. */
export function exitCodeOf(exitCode: number | null, exitSignal: NodeJS.Signals | null): number {
  if (exitCode !== null) return exitCode;
  return exitSignal === null ? 1 : 128 + constants.signals[exitSignal];
}
