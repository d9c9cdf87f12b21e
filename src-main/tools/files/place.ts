import { FileProblem } from '../../base/file-problem.ts';

/** The place that a path led to when it was checked. */
export interface Place {
  /** Whether it still leads there. Throws `AccessDenied` if it leads outside the roots. */
  leadsThere(): Promise<boolean>;
}

/**
 * Call right before using a place: since it was assessed and allowed, part of its path may have been swapped for a
 * link.
 */
export async function requireSamePlace(place: Place, use: 'read' | 'written'): Promise<void> {
  if (!(await place.leadsThere()))
    throw new FileProblem('changed', `the path now leads somewhere else; nothing was ${use}`);
}
