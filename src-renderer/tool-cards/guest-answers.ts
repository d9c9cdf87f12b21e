import type { CalendarEventCard } from '../../src-preload/contract/tool-card.ts';
import { counted } from '../ui/amounts.ts';

export interface GuestAnswer {
  readonly kind: 'yes' | 'no' | 'maybe' | 'waiting';
  readonly text: string;
}

/** The answers by `responseStatus` of the Calendar API. */
const ANSWERS: Readonly<Record<string, GuestAnswer>> = {
  accepted: { kind: 'yes', text: 'yes' },
  declined: { kind: 'no', text: 'no' },
  tentative: { kind: 'maybe', text: 'maybe' },
};
const WAITING: GuestAnswer = { kind: 'waiting', text: 'no answer yet' };

export function answerOf(response: string): GuestAnswer {
  return (Object.hasOwn(ANSWERS, response) ? ANSWERS[response] : undefined) ?? WAITING;
}

/** `2 yes, 1 no, 1 waiting`. */
export function answersText(guests: CalendarEventCard['guests']): string {
  const kinds = guests.map(({ response }) => answerOf(response).kind);
  return (['yes', 'maybe', 'no', 'waiting'] as const)
    .map((kind) => ({ kind, count: kinds.filter((each) => each === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => counted(count, kind, kind))
    .join(', ');
}
