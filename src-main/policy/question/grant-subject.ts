import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { GrantSubject } from '../../../src-preload/contract/decision-reason.ts';
import type { GrantedValue, GrantValues } from '../permission-grant.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

/** The flags of `ask` that can answer for the user. Source: design section 7 ("Ask", "Profile"). */
type ApprovingFlag =
  /** `--approve all` answers it. */
  | 'all'
  /**
   * `--approve all` answers it, but only for what was there when the flag was first given. Otherwise a model that edits
   * config.json would have `/` among the folders at the next start.
   */
  | 'all_at_first_sight'
  /** `--approve all` answers it, and so does `--sign-in`. */
  | 'all_or_sign_in';

/**
 * All that the policy knows of one subject of a permission grant. Nothing has a default, so the compiler names what a
 * subject leaves out. These are methods, so that the subject found for a grant takes that grant's value.
 */
export interface GrantSubjectKind<S extends GrantSubject> {
  title(value: GrantValues[S]): string;
  /** The consequence that makes the grant grave, or undefined if none does. */
  risk(value: GrantValues[S]): Consequence | undefined;
  /** The value that would take effect in full, and what a user has to know about it. */
  parts(grant: GrantedValue<S>): readonly QuestionPart[];
  /** Whether the question names the key. Mostly people know the thing, and not its name in config.json. */
  readonly namesSetting: boolean;
  readonly approvedBy: ApprovingFlag;
}

/**
 * Shows the value under a title, with the current one beside it. `text` writes a value, on several lines if it has
 * several parts.
 */
export function valuePart<V>(
  title: string,
  { value, previous }: { readonly value: V; readonly previous?: V },
  text: (value: V) => string = valueText,
): QuestionPart {
  return { kind: 'value', title, text: text(value), standing: previous === undefined ? null : text(previous) };
}
