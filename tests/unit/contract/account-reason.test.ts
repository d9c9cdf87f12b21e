import { expect, test } from 'vitest';
import { signInProblemText } from '../../../src-main/accounts/sign-in-problem.ts';
import { ACCOUNT_REASON_TEXTS } from '../../../src-preload/contract/account-reason.ts';

test.each(['Gmail could not be reached', 'Gmail could not be reached.', 'Not sent!'])(
  'the problem %j ends in one punctuation mark',
  (problem) => {
    const text = ACCOUNT_REASON_TEXTS.mail_unsettled({ code: 'mail_unsettled', check: 'not_begun', problem });
    expect(text).toMatch(/[^.!?][.!]$/);
  },
);

test('a flag of the command line is named only where it can be given', () => {
  const text = (takesFlag: boolean) => signInProblemText({ code: 'needs_sign_in', account: 'gmail', takesFlag });
  expect([true, false].map((takesFlag) => text(takesFlag).includes('--sign-in'))).toEqual([true, false]);
});
