import type { ApproveFlag } from '../../src-preload/contract/decision-reason.ts';
import type { Command } from '../assistant/commands.ts';
import type { Notice } from '../assistant/turn.ts';
import type { ToolsPart } from '../services.ts';

type WaitingSkills = NonNullable<Awaited<ReturnType<ToolsPart['skills']['review']>>>;

/**
 * Asks the user about the skills of the workspace before a turn that could use them. Returns the notice if some still
 * wait for an answer. `--approve all` counts even after a no to exactly these. Source: design section 7 ("Profile").
 */
export async function waitingSkills(
  { kind }: Pick<Command, 'kind'>,
  { skills }: Pick<ToolsPart, 'skills'>,
  { approve, signal }: { readonly approve: ApproveFlag | undefined; readonly signal: AbortSignal },
): Promise<readonly Notice[]> {
  if (kind !== 'message' && kind !== 'retry' && kind !== 'tool') return [];
  const waiting = await skills.review({ asksAgain: approve === 'all', signal });
  return waiting === undefined ? [] : [{ code: 'skills_unconfirmed', message: waitingText(waiting) }];
}

function waitingText({ count, state }: WaitingSkills): string {
  const are = count === 1 ? '1 skill of this folder is' : `${count} skills of this folder are`;
  const them = count === 1 ? 'it' : 'them';
  const since = state === 'changed' ? ', because something changed' : '';
  const flag = state === 'changed' ? '' : ', or with --approve all';
  return `${are} not used until you confirm ${them}${since}: in the window, under Settings > Tools; or run ask here on a terminal${flag}.`;
}
