import type { AccountAccess } from '../access.ts';
import { ruleAnswers } from '../rule-matching.ts';
import { allows, asks, has, holdsBesideOutsideText, type PolicyInput, type Verdict } from './verdict.ts';

/**
 * Source: design section 4 ("Connected accounts"). Only the user sees what is asked of an account, so reading it can't leak anything. A
 * mail or an invitation may be why the model wants an entry in the calendar, and there it would look like the user's own: so beside
 * text from outside only a rule applies that was made with that warning shown, as for commands.
 */
export function judgeAccount(input: PolicyInput, access: AccountAccess): Verdict {
  const { account, calendar } = access;
  if (access.class === 'read') return allows('own_account');
  if (calendar !== undefined) return asks({ code: 'account_shared', calendar }, 'write');
  const rule = input.rules.find(
    (each) => ruleAnswers(each, input.tool, access, 'write') && holdsBesideOutsideText(input, each),
  );
  if (rule !== undefined) return { kind: 'rule', rule };
  return asks({ code: has(input, 'untrusted') ? 'account_write_untrusted' : 'account_write', account }, 'write', true);
}
