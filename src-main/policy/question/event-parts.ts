import type { AccountAccess, EventDetails, SendAccess } from '../access.ts';
import { recipientTexts } from '../access-text.ts';
import type { QuestionPart } from './question-parts.ts';

/** An event as it would be created, with its guests as recipients: one a line, those outside the user's organisation marked. */
export function eventParts(
  { title, when, place, description }: EventDetails,
  { calendar }: Pick<AccountAccess, 'calendar'>,
  invitation: SendAccess | undefined,
): QuestionPart[] {
  const guests = invitation === undefined ? undefined : recipientTexts(invitation).join('\n');
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Event', title.trim() === '' ? '(no title)' : title],
    ['When', when],
    ['Where', place],
    ['Guests', guests],
    ['Description', description],
    ['Calendar, which other people may see', calendar],
  ];
  return parts.flatMap(([name, text]) => (text === undefined ? [] : [{ kind: 'text', title: name, text }]));
}
