import { decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import type { TurnsPart } from '../services.ts';

/** Shows what was changed after text from outside was read, and asks the user to mark it as reviewed. */
export async function runReview({ review }: TurnsPart, signal: AbortSignal): Promise<string> {
  const outcome = await review.run(signal);
  switch (outcome.kind) {
    case 'nothing':
      return 'Nothing to review.';
    case 'declined':
      return `Not reviewed. ${decisionReasonText(outcome.reason)}`;
    case 'reviewed':
      return ['Reviewed:', ...outcome.paths.map((path) => `  ${path}`)].join('\n');
  }
}

/** The reminder at the end of a run, or undefined if there is nothing to review. */
export function reviewReminder({ review }: TurnsPart): string | undefined {
  const { length } = review.pending();
  if (length === 0) return undefined;
  const were = length === 1 ? '1 file was' : `${length} files were`;
  return `${were} changed after text from outside was read. Review ${length === 1 ? 'it' : 'them'} with /review.`;
}
