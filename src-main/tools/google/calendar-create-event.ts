import { z } from 'zod';
import type { InvitationAccess } from '../../policy/access.ts';
import { externalAmong } from '../../policy/recipients.ts';
import type { AssessContext, ToolContext } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { calendarAccess } from './calendar-access.ts';
import { eventId } from './event-id.ts';
import { agendaEvent, type CalendarEvent, eventCard, timeOf } from './event-text.ts';
import { GoogleFailure, ownFailure, withGoogleFailures } from './google-failure.ts';
import { type GoogleRequestOptions, googleRequests } from './google-requests.ts';
import { eventDetails, eventInWords, type NewEvent, newEvent } from './new-event.ts';

const PREFIX = 'Error creating calendar event: ';
/** The number of ids that are tried if events with the earlier ones were deleted or changed. */
const MAX_ATTEMPTS = 5;

/** Source: tool catalogue B.6. */
export const calendarCreateEvent = defineTool({
  name: 'calendar_create_event',
  access: 'write',
  errorPrefix: 'Error: ',
  description:
    "Create an event in the user's Google Calendar. Guests get an invitation by mail, so name them only if the user wants them invited.",
  longest: { description: 100_000, attendees: 50_000 },
  input: z.object({
    summary: z.string().describe('Title'),
    start: z
      .string()
      .describe(
        "2026-03-01T09:00, with an offset if it is not in the user's time zone; 2026-03-01 for an all-day event",
      ),
    end: z.string().describe('Likewise; of an all-day event the day after its last one'),
    description: z.string().optional().describe('Details, as plain text'),
    location: z.string().optional().describe('Where'),
    attendees: z.string().optional().describe('Mail addresses of the guests, separated by commas'),
    calendarId: z.string().default('primary').describe('Another calendar than the main one, by its ID'),
  }),
  aliases: { title: 'summary', calendar_id: 'calendarId' },
  strictParameters: ['description', 'location', 'attendees', 'calendarId'],
  refusesUnknown: true,
  words: {
    title: 'Create calendar event',
    done: 'Created calendar event:',
    icon: 'calendar',
    about: ['summary', 'start'],
  },
  manual: {
    example: {
      summary: 'Lunch with Ada',
      start: '2026-03-02T12:30',
      end: '2026-03-02T13:30',
      location: 'Café Central',
    },
    limits: [
      "Times without an offset are in the user's time zone.",
      'The same event is created once per conversation, however often the call is repeated.',
    ],
  },
  async assess({ calendarId, ...given }, context) {
    const event = newEvent(given, PREFIX);
    const details = eventDetails(event);
    const entry = { ...(await calendarAccess('write', calendarId, context)), event: details };
    const invites = event.attendees === undefined ? [] : [await invitation(event, eventInWords(details), context)];
    return { access: [entry, ...invites], plan: { event, calendarId } };
  },
  async execute(plan, context) {
    return withGoogleFailures(PREFIX, async () => {
      const created = await create(plan, context);
      const { id, summary, start, end } = agendaEvent(created);
      context.card(await eventCard(created, true));
      return [
        'Event created successfully.',
        `ID: ${id}`,
        `Summary: ${summary}`,
        `Start: ${start}`,
        `End: ${end}`,
        `Link: ${created.htmlLink ?? ''}`,
      ]
        .map((line) => line.trimEnd())
        .join('\n  ');
    });
  },
});

async function invitation(
  { attendees = [] }: NewEvent,
  text: string,
  { google }: Pick<AssessContext, 'google'>,
): Promise<InvitationAccess> {
  const recipients = attendees.map(({ email }) => email);
  const external = await externalAmong(recipients, await google.address('calendar'));
  return { kind: 'invitation', class: 'send', recipients, external, text };
}

interface PlannedEvent {
  readonly event: NewEvent;
  readonly calendarId: string;
}

/** Creates the event only once: if an earlier try got through after all, its event is the result. */
async function create({ event, calendarId }: PlannedEvent, context: ToolContext): Promise<CalendarEvent> {
  const requester = { service: 'calendar', tool: calendarCreateEvent.name, isRepeatable: true } as const;
  const options = googleRequests(requester, context);
  for (let attempt = 1; ; attempt++) {
    const id = eventId(context.conversationId, calendarId, event, attempt);
    try {
      return await insert({ event, calendarId }, id, options);
    } catch (error) {
      const failure = ownFailure(error);
      if (!(failure instanceof GoogleFailure) || failure.problem.code !== 'conflict') throw error;
      const existing = await eventWith(id, calendarId, options);
      if (existing !== undefined && isSame(existing, event)) return existing;
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function insert(
  { event, calendarId }: PlannedEvent,
  id: string,
  options: GoogleRequestOptions,
): Promise<CalendarEvent> {
  const { calendar } = await import('@googleapis/calendar');
  const { attendees, ...rest } = event;
  const { data } = await calendar('v3').events.insert(
    {
      calendarId,
      // By default Google sends no invitations.
      ...(attendees === undefined ? {} : { sendUpdates: 'all' }),
      requestBody: { id, ...rest, ...(attendees === undefined ? {} : { attendees: [...attendees] }) },
    },
    options,
  );
  return data;
}

async function eventWith(
  id: string,
  calendarId: string,
  options: GoogleRequestOptions,
): Promise<CalendarEvent | undefined> {
  const { calendar } = await import('@googleapis/calendar');
  try {
    return (await calendar('v3').events.get({ calendarId, eventId: id }, options)).data;
  } catch (error) {
    const failure = ownFailure(error);
    if (failure instanceof GoogleFailure && failure.problem.code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Whether the event was not deleted or changed since. Google trims titles, and returns times in the calendar's own time
 * zone.
 */
function isSame(existing: CalendarEvent, { summary, start, end }: NewEvent): boolean {
  if (existing.status === 'cancelled' || !isSameText(existing.summary ?? '', summary)) return false;
  return isSameTime(timeOf(existing.start), start) && isSameTime(timeOf(existing.end), end);
}

function isSameText(existing: string, wanted: string): boolean {
  const words = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return words(existing) === words(wanted);
}

function isSameTime(existing: string, wanted: NewEvent['start']): boolean {
  return 'date' in wanted ? existing === wanted.date : Date.parse(existing) === Date.parse(wanted.dateTime);
}
