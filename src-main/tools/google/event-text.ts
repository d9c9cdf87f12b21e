import type { calendar_v3 } from '@googleapis/calendar';
import type { AgendaEvent, CalendarEventCard } from '../../../src-preload/contract/tool-card.ts';
import { shortened } from '../../base/text.ts';
import { oneLine } from './mime/mail-headers.ts';
import { withoutUnseen } from './mime/unseen-text.ts';

export type CalendarEvent = calendar_v3.Schema$Event;

const SHOWN_OF_SUMMARY = 60;

/** Returns what lists and cards show of an event, each text in one line. */
export function agendaEvent(event: CalendarEvent): AgendaEvent {
  return {
    id: event.id ?? '',
    summary: oneLine(event.summary ?? ''),
    start: timeOf(event.start),
    end: timeOf(event.end),
    location: oneLine(event.location ?? ''),
    status: event.status ?? '',
  };
}

export function timeOf(time: calendar_v3.Schema$EventDateTime | undefined): string {
  return time?.dateTime ?? time?.date ?? '';
}

/** Returns the address of a person, or the name if there is none. It is empty if neither is known. */
export function personOf(person: CalendarEvent['organizer'] | CalendarEvent['creator']): string {
  return oneLine(person?.email ?? person?.displayName ?? '');
}

export function titleOf({ summary }: Pick<AgendaEvent, 'summary'>): string {
  return summary === '' ? '(no title)' : summary;
}

/** Returns the source that marks the event's text. */
export function sourceOf(event: Pick<AgendaEvent, 'summary'>): string {
  return `calendar event “${shortened(titleOf(event), SHOWN_OF_SUMMARY)}”`;
}

/** Descriptions may be HTML, which Google Calendar shows as such. */
export async function descriptionOf({ description }: CalendarEvent): Promise<string> {
  const text = (description ?? '').replace(/\r\n?/g, '\n');
  const isHtml = /<(?:[a-z][^<>]*>|!--|\/[a-z])/i.test(text);
  if (!isHtml) return withoutUnseen(text).trim();
  const { htmlToText } = await import('../web/page/html-to-text.ts');
  return withoutUnseen(await htmlToText(text.replaceAll('\n', '<br>'))).trim();
}

/** Returns the link of the event's video call. */
export function meetingOf({ conferenceData }: CalendarEvent): string | undefined {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video');
  return video?.uri === undefined || video.uri === null ? undefined : oneLine(video.uri);
}

export async function eventCard(event: CalendarEvent, isNew: boolean): Promise<CalendarEventCard> {
  const meeting = meetingOf(event);
  return {
    kind: 'calendar-event',
    isNew,
    event: agendaEvent(event),
    description: await descriptionOf(event),
    organizer: personOf(event.organizer),
    guests: guestsOf(event),
    recurrence: (event.recurrence ?? []).map(oneLine),
    ...(typeof event.htmlLink === 'string' ? { link: event.htmlLink } : {}),
    ...(meeting === undefined ? {} : { meeting }),
  };
}

export function guestsOf({ attendees }: CalendarEvent): CalendarEventCard['guests'] {
  return (attendees ?? []).map(({ email, displayName, responseStatus }) => ({
    email: oneLine(email ?? displayName ?? ''),
    response: responseStatus ?? 'needsAction',
  }));
}
