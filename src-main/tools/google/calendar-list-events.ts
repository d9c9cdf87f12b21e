import type { calendar_v3 } from '@googleapis/calendar';
import { z } from 'zod';
import type { ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { calendarAccess } from './calendar-access.ts';
import { boundOf, startOfDay, withLocalOffset } from './calendar-times.ts';
import { agendaEvent, type CalendarEvent, personOf, titleOf } from './event-text.ts';
import { withGoogleFailures } from './google-failure.ts';
import { googleRequests } from './google-requests.ts';

const PREFIX = 'Error listing calendar events: ';
const NONE = 'No events found.';
const DEFAULT_COUNT = 10;
const MAX_EVENTS = 250;

/** Source: tool catalogue B.6. */
export const calendarListEvents = defineTool({
  name: 'calendar_list_events',
  access: 'read',
  errorPrefix: 'Error: ',
  description:
    "List events of the user's Google Calendar in order of their start; today's, if no time span is given. Recurring events are listed one by one.",
  input: z.object({
    timeMin: z.string().optional().describe('Only events that end after this: 2026-03-01 or 2026-03-01T09:00'),
    timeMax: z.string().optional().describe('Only events that start before this, likewise'),
    query: z.string().optional().describe('Words in title, description, place or guests'),
    maxResults: z.number().min(1).max(MAX_EVENTS).default(DEFAULT_COUNT).describe('How many events, 1 to 250'),
    calendarId: z.string().default('primary').describe('Another calendar than the main one, by its ID'),
  }),
  aliases: { time_min: 'timeMin', time_max: 'timeMax', max_results: 'maxResults', calendar_id: 'calendarId' },
  strictParameters: ['timeMin', 'timeMax', 'query', 'calendarId'],
  words: {
    title: 'List calendar events',
    done: 'Listed calendar events',
    icon: 'calendar',
    about: ['query', 'timeMin', 'timeMax'],
  },
  manual: {
    example: { timeMin: '2026-03-01', timeMax: '2026-03-08', maxResults: 50 },
    limits: ['1 to 250 events, 10 by default.', "Times without an offset are in the user's time zone."],
  },
  async assess({ timeMin, timeMax, query, maxResults, calendarId }, context) {
    const bounds = {
      ...(timeMin === undefined ? {} : { timeMin: boundOf('timeMin', timeMin, PREFIX) }),
      ...(timeMax === undefined ? {} : { timeMax: boundOf('timeMax', timeMax, PREFIX) }),
    };
    const request = { calendarId, ...(query === undefined ? {} : { q: query }), ...bounds };
    return {
      access: [await calendarAccess('read', calendarId, context)],
      plan: { request, count: Math.trunc(maxResults), isForToday: timeMin === undefined && timeMax === undefined },
    };
  },
  async execute({ request, count, isForToday }, context) {
    const span = isForToday ? today(context.now()) : {};
    const events = await withGoogleFailures(PREFIX, () => list({ ...request, ...span }, count, context));
    context.card({ kind: 'agenda', events: events.map(agendaEvent) });
    if (events.length === 0) return NONE;
    context.mark({ kind: 'untrusted', source: 'calendar events' });
    return events.map(block).join('\n\n');
  },
});

function today(now: Date): { readonly timeMin: string; readonly timeMax: string } {
  return { timeMin: withLocalOffset(startOfDay(now)), timeMax: withLocalOffset(startOfDay(now, 1)) };
}

/** A page may have fewer events than were asked for, even none. */
async function list(
  request: calendar_v3.Params$Resource$Events$List,
  count: number,
  context: ToolContext,
): Promise<readonly CalendarEvent[]> {
  const { calendar } = await import('@googleapis/calendar');
  const options = googleRequests({ service: 'calendar', tool: calendarListEvents.name }, context);
  const found: CalendarEvent[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await calendar('v3').events.list(
      {
        ...request,
        singleEvents: true,
        orderBy: 'startTime',
        maxResults: count - found.length,
        ...(pageToken === undefined ? {} : { pageToken }),
      },
      options,
    );
    found.push(...(data.items ?? []));
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken !== undefined && found.length < count);
  return found.slice(0, count);
}

function block(event: CalendarEvent): string {
  const shown = agendaEvent(event);
  return [
    `ID: ${shown.id}`,
    `Summary: ${titleOf(shown)}`,
    `Start: ${shown.start}`,
    `End: ${shown.end}`,
    `Location: ${shown.location}`,
    `Status: ${shown.status}`,
    `Organizer: ${personOf(event.organizer)}`,
  ]
    .map((line) => line.trimEnd())
    .join('\n  ');
}
