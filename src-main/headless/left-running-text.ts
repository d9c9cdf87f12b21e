import { visible } from '../base/visible-text.ts';
import type { Services } from '../services.ts';

/** Shells in the background by their ids, other programs by what they are; empty: there is nothing. */
export function endsWithThisRun({ toolServices, leftRunning }: Pick<Services, 'toolServices' | 'leftRunning'>): string {
  const programs = leftRunning.list().flatMap((left) => (left.inBackground ? [] : left.programs));
  const named = [
    ...toolServices.environment.shells.alive(),
    ...programs.map(({ pid, command }) => `${visible(command)} (process ${pid})`),
  ];
  return named.length === 0 ? '' : `Ends with this run: ${named.join(', ')}`;
}
