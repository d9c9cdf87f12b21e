import { AccessDenied } from '../../policy/roots.ts';
import { orFailure } from './file-failure.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** A change of a file, or why there can be none. */
export type Planned<Change> = { readonly change: Change } | { readonly failure: unknown };

/**
 * Plans a change of a file, or throws why it can't be made. For a file that holds secrets, the reason is only told once
 * the call is allowed, because what fails (a text that is not there, a line end, an encoding) says what the file holds.
 */
export async function plannedFor<Change>(
  prefix: string,
  { file, isSecret }: { readonly file: WorkspaceFile; readonly isSecret: boolean },
  plan: () => Promise<Change>,
): Promise<Planned<Change>> {
  try {
    return { change: await orFailure(prefix, file.given, plan) };
  } catch (error) {
    if (!isSecret || error instanceof AccessDenied) throw error;
    return { failure: error };
  }
}

/** Returns the change, or throws why there can be none. */
export function changeOf<Change>(planned: Planned<Change>): Change {
  if ('failure' in planned) throw planned.failure;
  return planned.change;
}

/** Returns what the user is shown of the change. */
export function shownOf<Change extends { readonly preview: Preview; readonly beforeImage: string }, Preview>(
  planned: Planned<Change>,
) {
  if ('failure' in planned) return {};
  const { preview, beforeImage } = planned.change;
  return { previews: [preview], beforeImage };
}
