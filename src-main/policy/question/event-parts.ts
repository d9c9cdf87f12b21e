import type { AccountAccess, EventDetails, InvitationAccess } from '../access.ts';
import { recipientTexts } from '../accesses/recipient-texts.ts';
import type { QuestionPart } from './question-parts.ts';

/** Shows an event as it would be created, with one guest per line. Those outside the user's organisation are marked. */
export function eventParts(
  { title, when, place, description }: EventDetails,
  { calendar }: Pick<AccountAccess, 'calendar'>,
  invitation: InvitationAccess | undefined,
): QuestionPart[] {
  const guests = invitation === undefined ? undefined : recipientTexts(invitation).join('\n');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Event', title.trim() === '' ? '(no title)' : title],
    ['When', when],
    ['Where', place],
    ['Guests', guests],
    ['Calendar', calendar === undefined ? undefined : `${calendar}  (other people may see it)`],
  ];
  return [
    ...facts.flatMap(([name, text]): QuestionPart[] =>
      text === undefined ? [] : [{ kind: 'text', isShort: true, title: name, text }],
    ),
    ...(description === undefined ? [] : [{ kind: 'text', title: 'Description', text: description } as const]),
  ];
}
