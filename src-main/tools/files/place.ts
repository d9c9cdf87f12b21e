import { FileProblem } from './file-problem.ts';

/** What a path led to when it was looked at. */
export interface Place {
  /** Whether it leads there still. Throws `AccessDenied` if it leads outside the roots. */
  leadsThere(): Promise<boolean>;
}

/** Right before a place is used: since it was assessed and allowed, something on its path may have been swapped for a link. */
export async function requireSamePlace(place: Place, use: 'read' | 'written'): Promise<void> {
  if (!(await place.leadsThere()))
    throw new FileProblem('changed', `the path now leads somewhere else; nothing was ${use}`);
}
