import type { AccountSignIn } from '../permission-grant.ts';
import type { QuestionPart } from './question-parts.ts';

const TITLES: Readonly<Record<Exclude<keyof AccountSignIn, 'account'>, string>> = {
  ended: 'Why again',
  neededFor: 'Needed for',
  may: 'Steward may then',
  signInAt: 'You sign in at',
  lasts: 'How long it lasts',
};

/** The title of the question, such as `Connect Gmail?`. */
export function accountTitle({ account }: AccountSignIn): string {
  return `Connect ${account}?`;
}

/** Says what the account is needed for, what Steward may then do, where the user signs in, and how long that lasts. */
export function accountParts({ ended, neededFor, may, signInAt, lasts }: AccountSignIn): readonly QuestionPart[] {
  const part = (of: keyof typeof TITLES, text: string | undefined): readonly QuestionPart[] =>
    text === undefined ? [] : [{ kind: 'text', title: TITLES[of], text }];
  return [
    ...part('ended', ended),
    ...part('neededFor', neededFor),
    ...part('may', may.join('\n')),
    ...part('signInAt', signInAt),
    ...part('lasts', lasts),
  ];
}
