import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import type { GrantedValue, GrantValues } from '../permission-grant.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

/** Which flags of `ask` can answer for the user. Source: design section 7 ("Ask", "Profile"). */
type ApprovingFlag =
  /** `--approve all` answers it. */
  | 'all'
  /** `--approve all`, but only for what was there when it was first given: it never widens roots later. */
  | 'all_at_first_sight'
  /** `--approve all` and `--sign-in`. */
  | 'all_or_sign_in';

/**
 * All that the policy knows of one subject of a permission grant. Nothing has a default: what a subject leaves out, the
 * compiler names. Methods, so that the subject found for a grant takes its value.
 */
export interface GrantSubjectKind<S extends GrantSubject> {
  title(value: GrantValues[S]): string;
  /** What makes the grant grave; `undefined`: nothing does. */
  risk(value: GrantValues[S]): Consequence | undefined;
  /** The value that would take effect, in full, and what has to be known about it. */
  parts(grant: GrantedValue<S>): readonly QuestionPart[];
  /** Whether the question names the key: people know the thing, not its name in config.json. */
  readonly namesSetting: boolean;
  readonly approvedBy: ApprovingFlag;
}

/**
 * The value under a title, with the current one beside it. `text` writes a value, in lines if it has several parts.
 */
export function valuePart<V>(
  title: string,
  { value, previous }: { readonly value: V; readonly previous?: V },
  text: (value: V) => string = valueText,
): QuestionPart {
  return { kind: 'value', title, text: text(value), standing: previous === undefined ? null : text(previous) };
}
