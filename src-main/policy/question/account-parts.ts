import { isRecord } from '../../base/json.ts';
import type { QuestionPart } from './question-parts.ts';

const TITLES: Readonly<Record<string, string>> = {
  ended: 'Why again',
  neededFor: 'Needed for',
  may: 'Steward may then',
  signInAt: 'You sign in at',
  lasts: 'How long it lasts',
};

/** `Connect Gmail?` */
export function accountTitle(value: unknown): string {
  const account = isRecord(value) && typeof value.account === 'string' ? value.account : 'this account';
  return `Connect ${account}?`;
}

/** What an account is needed for, what Steward may then do, where the user signs in, and how long that lasts. */
export function accountParts(value: unknown): readonly QuestionPart[] {
  if (!isRecord(value)) return [];
  return Object.entries(TITLES).flatMap(([key, title]) => {
    const shown = value[key];
    const text = Array.isArray(shown) ? shown.map(String).join('\n') : shown;
    return typeof text === 'string' ? [{ kind: 'text', title, text } as const] : [];
  });
}
